/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Report } from '../../../../specs/formats/report.ts';
import { CHECK_VERDICTS, type CheckVerdict } from '../../../../specs/verdicts.ts';
import { changeLines } from '../../../report/coverage.ts';
import { gateTitle } from '../../../report/gate.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { requirementCounts } from '../../../report/requirement-counts.ts';
import { groupBy } from '../../../text/group-by.ts';
import {
  capitalize,
  formatDuration,
  formatLimits,
  formatTime,
  formatVerdictCounts,
  pluralize,
  verdictCountLabel,
} from '../../../text/wording.ts';
import { Facts } from '../elements/text.tsx';

const SECTION_OF: Record<CheckVerdict, string> = {
  fail: 'failures',
  error: 'errors',
  blocked: 'blocked',
  warn: 'failures',
  pass: 'requirements',
  'not-applicable': 'requirements',
};

/** The head of the page: target, verdict and counts. */
export function Overview({ report, view }: { report: Report; view: ReportView }) {
  const { target, summary, verdict } = report;
  return (
    <>
      <header>
        <p class="eyebrow">Conformance report</p>
        <h1>{target.name}</h1>
        <Facts facts={runFacts(report)} />
      </header>
      <section class={`verdict ${verdict}`} aria-labelledby="verdict-h">
        <div class="badge" aria-hidden="true">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={VERDICT_ICONS[verdict]} />
          </svg>
        </div>
        <div>
          <h2 id="verdict-h">{capitalize(report.headline)}</h2>
          <p>{report.verdictReason}</p>
        </div>
      </section>
      <Notice id="gate" title={report.gate ? capitalize(gateTitle(report.gate)) : ''} lines={gateLines(report)} />
      <NotJudged report={report} view={view} />
      <Notice id="changes" title="Since the previous run" lines={changeLines(report)} />
      <section aria-label="Counts">
        <VerdictBar summary={summary} />
        <ul class="tiles">
          {CHECK_VERDICTS.map((kind) => (
            <Tile key={kind} verdict={kind} count={summary.checks[kind]} />
          ))}
        </ul>
        <p class="quiet">
          {pluralize(summary.selected, 'check')}: {formatVerdictCounts(summary.checks, ', ')}.{' '}
          {requirementCounts(report)}.
        </p>
      </section>
    </>
  );
}

function gateLines({ gate }: Report): string[] {
  return gate === null ? [] : [capitalize(gate.reason), ...gate.problems.map(({ text }) => text)];
}

function runFacts({ target, run, summary }: Report): [string, string][] {
  const { vendor, product, version } = target.implementation ?? {};
  const built = [vendor, product, version].filter((part) => part !== undefined && part !== '').join(' ');
  const scope = run.filtered.length === 0 ? run.profile : `${run.profile}, only ${run.filtered.join(', ')}`;
  const facts: [string, string][] = [
    ['Base URL', target.baseUrl],
    ['Implementation', built],
    ['Profile', run.strict ? `${scope} (strict)` : scope],
    ['Started', formatTime(run.startedAt)],
    ['Duration', `${formatDuration(summary.durationMs)}, ${pluralize(summary.exchanges, 'exchange')}`],
    ['Limits', run.limits === undefined ? '' : formatLimits(run.limits)],
  ];
  return facts.filter(([, value]) => value !== '');
}

const MAX_REASONS = 4;

/** What was not judged, and why; empty if everything was judged. */
function NotJudged({ report, view }: { report: Report; view: ReportView }) {
  const blocked = view.blocked.map(
    ({ blockedBy, reason, checks }) =>
      `${pluralize(checks.length, 'check')} blocked by ${blockedBy ?? 'the end of the run'}: ${reason}`,
  );
  const excluded = [...groupBy(report.excluded, ({ reason }) => reason)].map(
    ([reason, all]) => `${pluralize(all.length, 'check')} left out: ${reason}`,
  );
  const reasons = [...blocked, ...excluded];
  const rest = reasons.length - MAX_REASONS;
  const shown = reasons.slice(0, MAX_REASONS);
  return (
    <Notice
      id="not-judged"
      title="Not judged"
      lines={rest > 0 ? [...shown, `${pluralize(rest, 'more reason')} below`] : shown}
    />
  );
}

/** A short list between verdict and counts; empty without lines. */
function Notice({ id, title, lines }: { id: string; title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section class="notice" aria-labelledby={`${id}-h`}>
      <h3 id={`${id}-h`}>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

function Tile({ verdict, count }: { verdict: CheckVerdict; count: number }) {
  const content = (
    <>
      <b>{count}</b> {verdictCountLabel(verdict, count)}
    </>
  );
  if (count === 0) return <li class="tile none">{content}</li>;
  return (
    <li class={`tile ${verdict}`}>
      <a href={`#${SECTION_OF[verdict]}`}>{content}</a>
    </li>
  );
}

/** Uses SVG attributes, because the content security policy forbids style attributes. */
function VerdictBar({ summary }: Pick<Report, 'summary'>) {
  if (summary.selected === 0) return null;
  let start = 0;
  const parts = CHECK_VERDICTS.map((verdict) => {
    const width = (summary.checks[verdict] / summary.selected) * 1000;
    const x = start;
    start += width;
    return width === 0 ? null : (
      <rect key={verdict} class={verdict} x={x.toFixed(2)} y="0" width={width.toFixed(2)} height="10" />
    );
  });
  return (
    <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {parts}
    </svg>
  );
}

const TICK = 'M5 12.5l4.5 4.5L19 7.5';
const VERDICT_ICONS: Record<Report['verdict'], string> = {
  conformant: TICK,
  passed: TICK,
  'non-conformant': 'M7 7l10 10M17 7L7 17',
  inconclusive: 'M6 12h.01M12 12h.01M18 12h.01',
};
