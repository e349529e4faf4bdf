import type { CheckReport, Report } from '../specs/report.ts';
import { CHECK_VERDICTS } from '../specs/verdicts.ts';
import { unexpectedlyLost } from './coverage.ts';
import { curl } from './curl.ts';
import { codeSpan, fencedBlock, prose, row } from './markdown-text.ts';
import { type BlockedGroup, type Outline, outline } from './outline.ts';
import { requirementLines } from './requirement-text.ts';
import { amount, capitalized, clock, duration, limitsInWords, VERDICT_WORDS, withdrawnInWords } from './wording.ts';

/** A summary for a pull request or a job page. Only the catalogue's own words stand in it as prose. */
export function renderMarkdown(report: Report): string {
  const view = outline(report);
  const blocks = [
    ...opening(report),
    ...section(
      'Failures',
      view.failed.map((check) => account(check, view)),
    ),
    ...section(
      'Errors of the kit',
      view.broken.map((check) => account(check, view)),
    ),
    ...section('Blocked', view.blocked.map(blockedGroup)),
    ...section(
      'Warnings',
      view.warned.map((check) => account(check, view)),
    ),
    ...section(
      'Judged last time and not now',
      list(
        unexpectedlyLost(report).map(
          ({ check, before, now, reason }) =>
            `${codeSpan(check)}: ${VERDICT_WORDS[before]}, now ${VERDICT_WORDS[now]}: ${codeSpan(reason)}`,
        ),
      ),
    ),
    ...section(
      'Left out of this run',
      list(report.excluded.map(({ check, reason }) => `${codeSpan(check)}: ${codeSpan(reason)}`)),
    ),
    ...section('Unspecified behaviour', observations(report)),
    ...section(
      'Could not be cleaned up',
      list(report.leftovers.map((left) => [left.what, left.id, left.reason].map(codeSpan).join(' '))),
    ),
    ...section('Withdrawn', report.withdrawn ? [withdrawnInWords(report.withdrawn)] : []),
    ...section('Cleaned up', list(report.removed.map(({ what, count }) => `${count} × ${codeSpan(what)}`))),
    `Run ${codeSpan(report.run.id)}, seed ${report.run.seed}, ${codeSpan(`${report.kit.name} ${report.kit.version}`)}, ` +
      `catalogue ${codeSpan(report.catalogue.digest)}.`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function opening({ target, headline, verdictReason, run, summary }: Report): string[] {
  return [
    `# ${codeSpan(capitalized(headline))}: ${codeSpan(target.name)}`,
    codeSpan(verdictReason),
    `${codeSpan(target.baseUrl)}, profile ${codeSpan(run.profile)}, ${clock(run.startedAt)}, ` +
      `${duration(summary.durationMs)}, ${amount(summary.exchanges, 'exchange')}, ` +
      `${summary.executed} of ${amount(summary.selected, 'check')} executed.`,
    ...(run.limits === undefined ? [] : [`Limits: ${limitsInWords(run.limits)}.`]),
    [
      row(['', 'checks', 'requirements']),
      row(['---', '---:', '---:']),
      ...CHECK_VERDICTS.map((kind) =>
        row([VERDICT_WORDS[kind], String(summary.checks[kind]), String(summary.requirements[kind])]),
      ),
    ].join('\n'),
  ];
}

/** A heading and its blocks; nothing at all without blocks. */
function section(title: string, blocks: readonly string[]): string[] {
  return blocks.length === 0 ? [] : [`## ${title}`, ...blocks];
}

function list(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')];
}

function account(check: CheckReport, view: Outline): string {
  const requirement = view.requirementOf(check);
  const facts = [
    ['Expected', check.expected],
    ['Actual', check.actual],
    ['Reason', check.reason],
  ] as const;
  const request = view.decisive(check);
  return [
    `### ${codeSpan(check.id)} ${prose(check.title)}`,
    ...list([
      ...(requirement === undefined ? [] : requirementLines(requirement)).map(
        ([label, text]) => `${capitalized(label)}: ${prose(text)}`,
      ),
      ...facts.filter(([, text]) => text !== '').map(([name, text]) => `${name}: ${codeSpan(text)}`),
    ]),
    ...(request === undefined ? [] : [fencedBlock(curl(request), 'sh')]),
  ].join('\n\n');
}

function blockedGroup({ blockedBy, reason, checks }: BlockedGroup): string {
  const cause = blockedBy === null ? '' : ` by ${codeSpan(blockedBy)}`;
  const ids = checks.map((check) => codeSpan(check.id)).join(', ');
  return `**${amount(checks.length, 'check')}**${cause}: ${codeSpan(reason)}\n\n${ids}`;
}

function observations({ observations }: Report): string[] {
  if (observations.length === 0) return [];
  const rows = observations.map(({ id, question, value }) =>
    row([codeSpan(id), codeSpan(question), codeSpan(JSON.stringify(value))]),
  );
  return [[row(['id', 'question', 'observed']), row(['---', '---', '---']), ...rows].join('\n')];
}
