import { isCaught } from './proof-result.ts';
import type { FaultProof, Proof, VariationProof } from './schema.ts';

const CELL_SIZE = 5;

/** The HTML of proof.html: summary, gaps, the matrix of faults and checks, and one row for each server. */
export function proofPage(proof: Proof): string {
  const caught = proof.faults.filter(isCaught).length;
  const passed = proof.variations.filter(({ held }) => held.length === 0).length;
  const reachable = proof.checks.length - proof.beyondReach.length;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Proof of ${escapeHtml(proof.kit.name)} ${escapeHtml(proof.kit.version)}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; color-scheme: light dark; }
  table { border-collapse: collapse; width: 100%; } td, th { border-bottom: 1px solid #8884; padding: .25rem .5rem; text-align: left; vertical-align: top; }
  code { font-size: .85em; } .matrix { overflow: auto; border: 1px solid #8884; max-height: 80vh; }
  .named { fill: #c0392b; } .other { fill: #e8a49b; } .gap { color: #c0392b; }
</style></head><body>
<h1>Every check can fail, every conforming server passes</h1>
<p>faults caught ${caught}/${proof.faults.length}, checks proved ${reachable - proof.alive.length}/${reachable},
variations passed ${passed}/${proof.variations.length}${proof.pairs ? `, pairs passed ${proof.pairs.passed}/${proof.pairs.all}` : ''}.
${escapeHtml(proof.kit.name)} ${escapeHtml(proof.kit.version)}, ${escapeHtml(proof.finishedAt)}${proof.quick ? '; each fault was run against the checks that it names' : ''}.</p>
<h2>Gaps</h2>${proof.gaps.length === 0 ? '<p>None.</p>' : `<ul class="gap">${proof.gaps.map((gap) => `<li>${escapeHtml(gap)}</li>`).join('')}</ul>`}
<h2>Matrix</h2>
<p>A row for each fault, a column for each check. Dark: the fault names the check. Light: the check also turned red. Hover over a cell to see its fault and check.</p>
<div class="matrix">${matrix(proof)}</div>
<h2>Faults</h2><table><tr><th>fault<th>requirement<th>defect<th>caught by</tr>${proof.faults.map(faultRow).join('')}</table>
<h2>Variations</h2><table><tr><th>variation<th>open point<th>passed<th>not applicable<th>not passed</tr>${proof.variations.map(variationRow).join('')}</table>
${pairsSection(proof)}<h2>Checks that no fault can turn red</h2><ul>${proof.beyondReach.map(({ check, reason }) => `<li><code>${escapeHtml(check)}</code> ${escapeHtml(reason)}</li>`).join('')}</ul>
</body></html>
`;
}

function matrix({ faults, checks }: Proof): string {
  const column = new Map(checks.map((id, at) => [id, at]));
  const cells = faults.flatMap(({ id: fault, red, caughtBy }, row) =>
    red.map((id) => {
      const x = (column.get(id) ?? 0) * CELL_SIZE;
      const kind = caughtBy.includes(id) ? 'named' : 'other';
      return `<rect class="${kind}" x="${x}" y="${row * CELL_SIZE}" width="${CELL_SIZE}" height="${CELL_SIZE}"><title>${escapeHtml(`${fault} × ${id}`)}</title></rect>`;
    }),
  );
  return `<svg width="${checks.length * CELL_SIZE}" height="${faults.length * CELL_SIZE}" role="img" aria-label="matrix of faults and checks">${cells.join('')}</svg>`;
}

function faultRow({ id, requirement, level, sentence, caughtBy, red, missed }: FaultProof): string {
  const also = red.filter((check) => !caughtBy.includes(check)).length;
  const stayed = missed.map(({ check, verdict }) => `<span class="gap">${escapeHtml(check)} stayed ${verdict}</span>`);
  const told = [...caughtBy.filter((check) => red.includes(check)).map(escapeHtml), ...stayed].join(', ');
  return `<tr><td><code>${escapeHtml(id)}</code><td>${escapeHtml(requirement)} (${level})<td>${escapeHtml(sentence)}<td>${told}${also > 0 ? ` and ${also} more` : ''}</tr>`;
}

function variationRow({ id, openPoint, choice, passed, notApplicable, held }: VariationProof): string {
  const by = held.map(
    ({ check, verdict, reason }) => `<span class="gap">${escapeHtml(`${check} (${verdict}): ${reason}`)}</span>`,
  );
  return `<tr><td><code>${escapeHtml(id)}</code><td>${escapeHtml(openPoint ?? '')} ${escapeHtml(choice)}<td>${passed}<td>${notApplicable.length}<td>${by.join('<br>')}</tr>`;
}

function pairsSection({ pairs }: Proof): string {
  if (!pairs) return '';
  const rows = pairs.rows.map(({ variations, held, culprits }, at) => {
    const by = held.map(({ check, verdict }) => `<span class="gap">${escapeHtml(`${check} (${verdict})`)}</span>`);
    return `<tr><td>${at + 1}<td>${variations.map((id) => `<code>${escapeHtml(id)}</code>`).join(' ')}<td>${by.join('<br>')}<td>${escapeHtml(culprits.join(' + '))}</tr>`;
  });
  return `<h2>Compositions</h2><p>${pairs.rows.length} servers combine variations. ${pairs.passed} of the ${pairs.all} compatible pairs of variations passed on at least one of them.</p>
<table><tr><th>server<th>variations<th>not passed<th>caused by</tr>${rows.join('')}</table>
`;
}

function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
