/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Cause, CheckReport, Report } from '../../../../specs/formats/report.ts';
import { causesTitle, causeText, countFailures, explanationText, failuresText } from '../../../causes/cause-text.ts';
import type { ReportView } from '../../../report/report-view.ts';
import type { UnjudgedGroup } from '../../../report/unjudged-groups.ts';
import { pluralize } from '../../../text/wording.ts';
import { anchorOf, filterAttributes } from '../elements/check-attributes.ts';
import { FailureCard } from '../elements/failure-card.tsx';
import { CatalogueText, Section, VerdictChip } from '../elements/text.tsx';

/** A longer list of blocked checks is collapsed. */
const MAX_OPEN_ITEMS = 6;

/** Failures and warnings under their causes, then errors of the kit and blocked checks. */
export function Findings({ report, view }: { report: Report; view: ReportView }) {
  return (
    <>
      <Failures report={report} view={view} />
      <Errors checks={view.errors} view={view} />
      <Blocked groups={view.blocked} count={report.summary.checks.blocked} view={view} />
    </>
  );
}

function Failures({ report, view }: { report: Report; view: ReportView }) {
  if (countFailures(report) === 0) return null;
  const rest = checksOf(report.unexplained, view);
  return (
    <Section id="failures" title={causesTitle(report.causes)} count={failuresText(report)} isFiltered>
      {report.causes.map((cause) => (
        <CauseGroup key={cause.startWith} cause={cause} report={report} view={view} />
      ))}
      {rest.length === 0 ? null : (
        <div class="cause" data-group>
          <h3>{report.causes.length === 0 ? 'Failures' : 'Other failures'}</h3>
          <Cards checks={rest} view={view} />
        </div>
      )}
    </Section>
  );
}

function CauseGroup({ cause, report, view }: { cause: Cause; report: Report; view: ReportView }) {
  return (
    <div class="cause" data-group>
      <h3>
        <CatalogueText text={causeText(cause)} />
      </h3>
      <p class="lead">
        <CatalogueText text={explanationText(cause, report)} /> Start with{' '}
        <a href={`#failure-${cause.startWith}`}>
          <code>{cause.startWith}</code>
        </a>
        .
      </p>
      <Cards checks={checksOf(cause.explains, view)} view={view} />
    </div>
  );
}

function Errors({ checks, view }: { checks: readonly CheckReport[]; view: ReportView }) {
  if (checks.length === 0) return null;
  return (
    <Section id="errors" title="Errors of the kit" count={pluralize(checks.length, 'check')} isFiltered>
      <Cards checks={checks} view={view} />
    </Section>
  );
}

/** Cards, the first one open. */
function Cards({ checks, view }: { checks: readonly CheckReport[]; view: ReportView }) {
  return (
    <>
      {checks.map((check, index) => (
        <FailureCard key={check.id} check={check} view={view} isOpen={index === 0} />
      ))}
    </>
  );
}

interface BlockedProps {
  readonly groups: readonly UnjudgedGroup[];
  readonly count: number;
  readonly view: ReportView;
}

function Blocked({ groups, count, view }: BlockedProps) {
  if (count === 0) return null;
  return (
    <Section id="blocked" title="Blocked checks" count={pluralize(count, 'check')} isFiltered>
      <p class="lead">The checks of a group are blocked by one cause. Fix the cause, then run them again.</p>
      {groups.map((group) => (
        <BlockedCard key={`${group.blockedBy} ${group.reason}`} group={group} view={view} />
      ))}
    </Section>
  );
}

function BlockedCard({ group: { blockedBy, reason, checks }, view }: { group: UnjudgedGroup; view: ReportView }) {
  const blocking = blockedBy === null ? undefined : view.findCheck(blockedBy);
  const name = blockedBy === null ? null : <code>{blockedBy}</code>;
  return (
    <article class="card blocked" data-group>
      <p class="tags">
        <VerdictChip verdict="blocked" /> {blockedBy === null ? null : 'by '}
        {blocking ? <a href={`#${anchorOf(blocking)}`}>{name}</a> : name}
      </p>
      <h3>{reason}</h3>
      <details open={checks.length <= MAX_OPEN_ITEMS}>
        <summary>{pluralize(checks.length, 'check')}</summary>
        <ul class="plain">
          {checks.map((check) => (
            <li key={check.id} id={anchorOf(check)} {...filterAttributes(check, view)}>
              <code>{check.id}</code> <CatalogueText text={check.title} />
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}

function checksOf(ids: readonly string[], view: ReportView): CheckReport[] {
  return ids.flatMap((id) => view.findCheck(id) ?? []);
}
