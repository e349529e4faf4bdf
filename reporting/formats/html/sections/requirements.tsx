/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { CheckReport, Report, RequirementReport } from '../../../../specs/formats/report.ts';
import type { RequirementVerdict } from '../../../../specs/verdicts.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { requirementLabel } from '../../../report/requirement-counts.ts';
import { groupBy } from '../../../text/group-by.ts';
import { derivationText, placeText } from '../../../text/requirement-text.ts';
import { formatDuration, pluralize, VERDICT_LABELS } from '../../../text/wording.ts';
import { anchorOf, filterAttributes } from '../elements/check-attributes.ts';
import { CatalogueText, Section, VerdictChip } from '../elements/text.tsx';

/** All requirements of the catalogue with their checks in this run. */
export function Requirements({ report, view }: { report: Report; view: ReportView }) {
  const judged = report.requirements.filter((requirement) => requirement.checks.length > 0).length;
  const count = `${judged} of ${report.requirements.length} have checks in this run`;
  return (
    <Section id="requirements" title="Requirements" count={count} isFiltered>
      {[...view.areas].map(([area, requirements]) => (
        <details key={area} class="area" data-group>
          <summary>
            <h3>{area}</h3>
            <VerdictCounts requirements={requirements} />
          </summary>
          <ul class="plain requirements">
            {requirements.map((requirement) => (
              <RequirementRow key={requirement.id} requirement={requirement} view={view} />
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}

function VerdictCounts({ requirements }: { requirements: readonly RequirementReport[] }) {
  const order = Object.keys(VERDICT_LABELS) as RequirementVerdict[];
  const worstFirst = [...requirements].sort((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
  return (
    <span class="chips">
      {[...groupBy(worstFirst, requirementLabel)].map(([label, those]) => (
        <span key={label} class={`chip ${those[0]?.verdict}`}>
          {those.length} {label === VERDICT_LABELS.warn && those.length > 1 ? `${label}s` : label}
        </span>
      ))}
    </span>
  );
}

function RequirementRow({ requirement, view }: { requirement: RequirementReport; view: ReportView }) {
  const { id, place, level, statement, derived, verdict, reason } = requirement;
  const checks = requirement.checks.flatMap((check) => view.findCheck(check) ?? []);
  const attributes =
    checks.length > 0 ? { 'data-group': true } : { 'data-item': id, 'data-verdict': verdict, 'data-level': level };
  return (
    <li class="requirement" id={id} {...attributes}>
      <p class="tags">
        <VerdictChip verdict={verdict} label={requirementLabel(requirement)} />{' '}
        <a href={`#${id}`}>
          <code>{id}</code>
        </a>{' '}
        <span class="quiet">
          {level} · {placeText(place)}
        </span>
      </p>
      <p>
        <CatalogueText text={statement} />
      </p>
      {derived.map((each) => (
        <p class="quiet" key={each.rule}>
          <CatalogueText text={derivationText(each)} />
        </p>
      ))}
      {reason === '' ? null : <p class="quiet">{reason}</p>}
      {checks.length === 0 ? null : (
        <ul class="plain checks">
          {checks.map((check) => (
            <CheckRow key={check.id} check={check} view={view} />
          ))}
        </ul>
      )}
    </li>
  );
}

function CheckRow({ check, view }: { check: CheckReport; view: ReportView }) {
  const hasCard = check.verdict !== 'pass' && check.verdict !== 'not-applicable';
  const title = <CatalogueText text={check.title} />;
  return (
    <li id={check.id} data-check {...filterAttributes(check, view)}>
      <VerdictChip verdict={check.verdict} />
      <div>
        <a class="id" href={`#${check.id}`}>
          <code>{check.id}</code>
        </a>{' '}
        {hasCard ? <a href={`#${anchorOf(check)}`}>{title}</a> : title}{' '}
        <span class="quiet">
          {formatDuration(check.durationMs)}, {pluralize(check.exchanges.length, 'exchange')}
        </span>
        {check.verdict === 'not-applicable' ? <p class="quiet">{check.reason}</p> : null}
      </div>
    </li>
  );
}
