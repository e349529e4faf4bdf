import type { CheckReport, Report, RequirementReport } from '../../../specs/report.ts';
import type { RequirementVerdict } from '../../../specs/verdicts.ts';
import type { ReportView } from '../../report/report-view.ts';
import { groupBy } from '../../text/group-by.ts';
import { derivationText } from '../../text/requirement-text.ts';
import { formatDuration, pluralize, VERDICT_LABELS, verdictCountLabel } from '../../text/wording.ts';
import { anchorOf, chip, filterAttributes } from './findings.ts';
import { type Markup, markup, withCode } from './markup.ts';

/** All requirements of the catalogue with their checks in this run, in pieces. */
export function* catalogue(report: Report, view: ReportView): Generator<Markup, void, undefined> {
  const judged = report.requirements.filter((requirement) => requirement.checks.length > 0).length;
  yield markup`<section id="requirements" aria-labelledby="requirements-h" data-group>
  <h2 id="requirements-h">Requirements <span class="count">${judged} of ${report.requirements.length} in this run</span></h2>
  `;
  for (const [area, requirements] of view.areas) yield* areaBlock(area, requirements, view);
  yield markup`
</section>`;
}

function* areaBlock(
  area: string,
  requirements: readonly RequirementReport[],
  view: ReportView,
): Generator<Markup, void, undefined> {
  const counts = groupBy(requirements, (requirement) => requirement.verdict);
  const order = Object.keys(VERDICT_LABELS) as RequirementVerdict[];
  const chips = order.flatMap((verdict) => {
    const count = counts.get(verdict)?.length ?? 0;
    return count === 0
      ? []
      : [markup`<span class="chip ${verdict}">${count} ${verdictCountLabel(verdict, count)}</span>`];
  });
  yield markup`<details class="area" data-group>
    <summary><h3>${area}</h3><span class="chips">${chips}</span></summary>
    <ul class="plain requirements">`;
  for (const requirement of requirements) yield* requirementRow(requirement, view);
  yield markup`</ul>
  </details>`;
}

function* requirementRow(requirement: RequirementReport, view: ReportView): Generator<Markup, void, undefined> {
  const { id, place, level, statement, derived, verdict, reason } = requirement;
  const checks = requirement.checks.flatMap((check) => view.findCheck(check) ?? []);
  const text = `${id} ${requirement.area} ${statement} ${reason}`.toLowerCase();
  const data =
    checks.length > 0
      ? markup`data-group`
      : markup`data-item data-verdict="${verdict}" data-level="${level}" data-text="${text}"`;
  yield markup`<li class="requirement" id="${id}" ${data}>
      <p class="tags">${chip(verdict)} <a href="#${id}"><code>${id}</code></a> <span class="quiet">${level} · ${place}</span></p>
      <p>${withCode(statement)}</p>
      ${derived.map((each) => markup`<p class="quiet">${withCode(derivationText(each))}</p>`)}
      ${reason === '' ? null : markup`<p class="quiet">${reason}</p>`}
      ${checks.length === 0 ? null : markup`<ul class="plain checks">`}`;
  for (const check of checks) yield checkRow(check, view);
  yield markup`${checks.length === 0 ? null : markup`</ul>`}
    </li>`;
}

function checkRow(check: CheckReport, view: ReportView): Markup {
  const told = check.verdict !== 'pass' && check.verdict !== 'not-applicable';
  const title = told ? markup`<a href="#${anchorOf(check)}">${withCode(check.title)}</a>` : withCode(check.title);
  return markup`<li id="${check.id}" data-check ${filterAttributes(check, view)}>${chip(check.verdict)}
        <div>${title} <span class="quiet"><a href="#${check.id}"><code>${check.id}</code></a> ${formatDuration(check.durationMs)}, ${pluralize(check.exchanges.length, 'exchange')}</span>${check.verdict === 'not-applicable' ? markup`<p class="quiet">${check.reason}</p>` : null}</div></li>`;
}
