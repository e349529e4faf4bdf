import type { Report } from '../../../specs/report.ts';
import { unexpectedlyLostChecks } from '../../report/coverage.ts';
import { groupBy } from '../../text/group-by.ts';
import { pluralize, VERDICT_LABELS } from '../../text/wording.ts';
import { bodyText } from './body-text.ts';
import { commandLine } from './exchange-view.ts';
import { type Markup, markup } from './markup.ts';

/** Observations, lost and excluded checks, leftovers, withdrawals, and the identity of the run. */
export function appendix(report: Report): Markup {
  return markup`${observations(report)}
${table(
  'coverage',
  'Judged in the previous run, but not in this run',
  ['Check', 'Previous run', 'This run', 'Reason'],
  unexpectedlyLostChecks(report).map(({ check, before, now, reason }) => [
    check,
    VERDICT_LABELS[before],
    VERDICT_LABELS[now],
    reason,
  ]),
)}
${table(
  'excluded',
  'Left out of this run',
  ['Check', 'Reason'],
  report.excluded.map(({ check, reason }) => [check, reason]),
)}
${leftovers(report)}
${table(
  'withdrawn',
  'Withdrawn',
  ['Total', 'Further runs that the balance covers'],
  report.withdrawn ? [[report.withdrawn.sum, String(report.withdrawn.runsLeft ?? 'unknown')]] : [],
)}
${table(
  'removed',
  'Cleaned up',
  ['Kind', 'Count'],
  report.removed.map(({ what, count }) => [what, String(count)]),
)}
${footer(report)}`;
}

function observations({ observations }: Report): Markup | null {
  if (observations.length === 0) return null;
  return markup`<section id="observations" aria-labelledby="observations-h">
  <h2 id="observations-h">Unspecified behaviour <span class="count">${pluralize(
    observations.length,
    'observation',
  )}</span></h2>
  <p class="lead">The contract leaves these open. The kit records them and never judges them.</p>
  <div class="card"><dl class="observations">${observations.map(
    ({ id, question, value }) => markup`<div><dt>${question} <code>${id}</code></dt><dd>${valueText(value)}</dd></div>`,
  )}</dl></div>
</section>`;
}

/** Counts by kind and reason. The ids are folded. */
function leftovers({ leftovers }: Report): Markup | null {
  if (leftovers.length === 0) return null;
  const kinds = groupBy(leftovers, ({ what, reason }) => JSON.stringify([what, reason]));
  return markup`<section id="leftovers" aria-labelledby="leftovers-h">
  <h2 id="leftovers-h">Could not be cleaned up <span class="count">${pluralize(leftovers.length, 'item')}</span></h2>
  <div class="card"><ul class="plain leftovers">${[...kinds.values()].map(
    (
      all,
    ) => markup`<li><details><summary>${all.length} × ${all[0]?.what ?? ''} <span class="quiet">${all[0]?.reason ?? ''}</span></summary>
    ${commandLine(all.map(({ id }) => id).join('\n'))}</details></li>`,
  )}</ul></div>
</section>`;
}

/** Short values stay on one line. */
function valueText(value: Report['observations'][number]['value']): Markup {
  const json = JSON.stringify(value);
  return json.length <= 60 ? markup`${json}` : bodyText(json);
}

function table(
  id: string,
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Markup | null {
  if (rows.length === 0) return null;
  return markup`<section id="${id}" aria-labelledby="${id}-h">
  <h2 id="${id}-h">${title} <span class="count">${rows.length}</span></h2>
  <div class="card"><table><thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
  <tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
</section>`;
}

function footer({ kit, catalogue, run }: Report): Markup {
  const facts: [string, string][] = [
    ['Kit', `${kit.name} ${kit.version}`],
    ['Catalogue', catalogue.digest],
    ['Run', run.id],
    ['Seed', String(run.seed)],
  ];
  return markup`<footer class="colophon"><dl class="facts">${facts.map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl></footer>`;
}
