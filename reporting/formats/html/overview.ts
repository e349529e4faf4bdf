import type { Report } from '../../../specs/report.ts';
import { CHECK_VERDICTS, type CheckVerdict } from '../../../specs/verdicts.ts';
import { createReportView } from '../../report/report-view.ts';
import { groupBy } from '../../text/group-by.ts';
import {
  capitalize,
  formatDuration,
  formatLimits,
  formatTime,
  pluralize,
  VERDICT_LABELS,
  verdictCountLabel,
} from '../../text/wording.ts';
import { joinMarkup, type Markup, markup } from './markup.ts';

const SECTION_OF: Record<CheckVerdict, string> = {
  fail: 'failures',
  error: 'errors',
  blocked: 'blocked',
  warn: 'failures',
  pass: 'requirements',
  'not-applicable': 'requirements',
};

/** The head of the page: target, verdict and counts. */
export function overview(report: Report): Markup {
  const { target, run, summary, verdict } = report;
  const { vendor, product, version } = target.implementation ?? {};
  const built = [vendor, product, version].filter((part) => part !== undefined && part !== '').join(' ');
  const scope = run.filtered.length === 0 ? run.profile : `${run.profile}, only ${run.filtered.join(', ')}`;
  const facts: [string, string][] = [
    ['Base URL', target.baseUrl],
    ...(built === '' ? [] : [['Implementation', built] satisfies [string, string]]),
    ['Profile', run.strict ? `${scope} (strict)` : scope],
    ['Started', formatTime(run.startedAt)],
    ['Duration', `${formatDuration(summary.durationMs)}, ${pluralize(summary.exchanges, 'exchange')}`],
    ...(run.limits === undefined ? [] : [['Limits', formatLimits(run.limits)] satisfies [string, string]]),
  ];
  return markup`<header class="top">
  <p class="eyebrow">Conformance report</p>
  <h1>${target.name}</h1>
  <dl class="facts">${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>
<section class="verdict ${verdict}" aria-labelledby="verdict-h">
  <div class="badge" aria-hidden="true">${VERDICT_ICONS[verdict]}</div>
  <div><h2 id="verdict-h">${capitalize(report.headline)}</h2><p>${report.verdictReason}</p></div>
</section>
${notJudged(report)}
<section aria-label="Counts">
  ${verdictBar(report)}
  <ul class="tiles">${CHECK_VERDICTS.map((kind) => tile(kind, summary.checks[kind]))}</ul>
  <p class="quiet">${requirementCounts(report)} ${summary.executed} of ${pluralize(summary.selected, 'selected check')} executed.</p>
</section>`;
}

/** `145 requirements: 113 passed, 1 failed, 11 recorded only, 20 not applicable.` The counts add up. */
function requirementCounts({ requirements }: Report): string {
  const kinds = groupBy(requirements, ({ level, verdict }) =>
    level === 'observed' ? 'recorded only' : VERDICT_LABELS[verdict],
  );
  const parts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`);
  return `${pluralize(requirements.length, 'requirement')}: ${parts.join(', ')}.`;
}

const MAX_REASONS = 4;

/** What was not judged, and why; empty if everything was judged. */
function notJudged(report: Report): Markup | null {
  const blocked = createReportView(report).blocked.map(
    ({ blockedBy, reason, checks }) =>
      `${pluralize(checks.length, 'check')} blocked by ${blockedBy ?? 'the end of the run'}: ${reason}`,
  );
  const excluded = [...groupBy(report.excluded, ({ reason }) => reason)].map(
    ([reason, all]) => `${pluralize(all.length, 'check')} left out: ${reason}`,
  );
  const reasons = [...blocked, ...excluded];
  if (reasons.length === 0) return null;
  const rest = reasons.length - MAX_REASONS;
  return markup`<section class="not-judged" aria-labelledby="not-judged-h"><h3 id="not-judged-h">Not judged</h3><ul>${reasons.slice(0, MAX_REASONS).map((reason) => markup`<li>${reason}</li>`)}${
    rest > 0 ? markup`<li>${pluralize(rest, 'more reason')} below</li>` : null
  }</ul></section>`;
}

function tile(verdict: CheckVerdict, count: number): Markup {
  const content = markup`<b>${count}</b> ${verdictCountLabel(verdict, count)}`;
  if (count === 0) return markup`<li class="tile none">${content}</li>`;
  return markup`<li class="tile ${verdict}"><a href="#${SECTION_OF[verdict]}">${content}</a></li>`;
}

/** Uses SVG attributes, because the content security policy forbids style attributes. */
function verdictBar({ summary }: Report): Markup | null {
  if (summary.selected === 0) return null;
  let start = 0;
  const parts = CHECK_VERDICTS.map((verdict) => {
    const width = (summary.checks[verdict] / summary.selected) * 1000;
    const part = markup`<rect class="${verdict}" x="${start.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="10"/>`;
    start += width;
    return width === 0 ? null : part;
  });
  return markup`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${joinMarkup(
    parts.filter((part) => part !== null),
  )}</svg>`;
}

const VERDICT_ICONS: Record<Report['verdict'], Markup> = {
  conformant: markup`<svg viewBox="0 0 24 24"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>`,
  passed: markup`<svg viewBox="0 0 24 24"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>`,
  'non-conformant': markup`<svg viewBox="0 0 24 24"><path d="M7 7l10 10M17 7L7 17"/></svg>`,
  inconclusive: markup`<svg viewBox="0 0 24 24"><path d="M6 12h.01M12 12h.01M18 12h.01"/></svg>`,
};
