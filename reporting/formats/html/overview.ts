import type { Report } from '../../../specs/report.ts';
import { CHECK_VERDICTS, type CheckVerdict } from '../../../specs/verdicts.ts';
import {
  capitalize,
  formatDuration,
  formatLimits,
  formatTime,
  pluralize,
  verdictCountLabel,
} from '../../text/wording.ts';
import { joinMarkup, type Markup, markup } from './markup.ts';

const SECTION_OF: Record<CheckVerdict, string> = {
  fail: 'failed',
  error: 'errors',
  blocked: 'blocked',
  warn: 'warnings',
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
<section aria-label="Counts">
  ${verdictBar(report)}
  <ul class="tiles">${CHECK_VERDICTS.map((kind) => tile(kind, summary.checks[kind]))}</ul>
  <p class="quiet">${summary.executed} of ${pluralize(summary.selected, 'selected check')} executed${
    report.excluded.length === 0 ? '' : `, ${pluralize(report.excluded.length, 'check')} of the profile left out`
  }.</p>
</section>`;
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
