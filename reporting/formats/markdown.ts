import type { CheckReport, Report } from '../../specs/report.ts';
import { CHECK_VERDICTS } from '../../specs/verdicts.ts';
import { unexpectedlyLostChecks } from '../report/coverage.ts';
import { type BlockedGroup, createReportView, type ReportView } from '../report/report-view.ts';
import { codeSpan, escapeMarkdown, fencedBlock, tableRow } from '../text/markdown-text.ts';
import { requirementLines } from '../text/requirement-text.ts';
import {
  capitalize,
  formatDuration,
  formatLimits,
  formatTime,
  formatWithdrawn,
  pluralize,
  VERDICT_LABELS,
} from '../text/wording.ts';

/** A Markdown summary for a pull request or a job page. All text that is not from the catalogue is in code spans. */
export function renderMarkdown(report: Report): string {
  const view = createReportView(report);
  const blocks = [
    ...headerBlocks(report),
    ...section(
      'Failures',
      view.failed.map((check) => checkBlock(check, view)),
    ),
    ...section(
      'Errors of the kit',
      view.errors.map((check) => checkBlock(check, view)),
    ),
    ...section('Blocked', view.blocked.map(blockedGroup)),
    ...section(
      'Warnings',
      view.warned.map((check) => checkBlock(check, view)),
    ),
    ...section(
      'Judged in the previous run, but not in this run',
      list(
        unexpectedlyLostChecks(report).map(
          ({ check, before, now, reason }) =>
            `${codeSpan(check)}: ${VERDICT_LABELS[before]}, now ${VERDICT_LABELS[now]}: ${codeSpan(reason)}`,
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
    ...section('Withdrawn', report.withdrawn ? [formatWithdrawn(report.withdrawn)] : []),
    ...section('Cleaned up', list(report.removed.map(({ what, count }) => `${count} × ${codeSpan(what)}`))),
    `Run ${codeSpan(report.run.id)}, seed ${report.run.seed}, ${codeSpan(`${report.kit.name} ${report.kit.version}`)}, ` +
      `catalogue ${codeSpan(report.catalogue.digest)}.`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function headerBlocks({ target, headline, verdictReason, run, summary }: Report): string[] {
  return [
    `# ${codeSpan(capitalize(headline))}: ${codeSpan(target.name)}`,
    codeSpan(verdictReason),
    `${codeSpan(target.baseUrl)}, profile ${codeSpan(run.profile)}, ${formatTime(run.startedAt)}, ` +
      `${formatDuration(summary.durationMs)}, ${pluralize(summary.exchanges, 'exchange')}, ` +
      `${summary.executed} of ${pluralize(summary.selected, 'check')} executed.`,
    ...(run.limits === undefined ? [] : [`Limits: ${formatLimits(run.limits)}.`]),
    [
      tableRow(['', 'checks', 'requirements']),
      tableRow(['---', '---:', '---:']),
      ...CHECK_VERDICTS.map((kind) =>
        tableRow([VERDICT_LABELS[kind], String(summary.checks[kind]), String(summary.requirements[kind])]),
      ),
    ].join('\n'),
  ];
}

/** A heading and its blocks; empty without blocks. */
function section(title: string, blocks: readonly string[]): string[] {
  return blocks.length === 0 ? [] : [`## ${title}`, ...blocks];
}

function list(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')];
}

function checkBlock(check: CheckReport, view: ReportView): string {
  const requirement = view.requirementOf(check);
  const facts = [
    ['Expected', check.expected],
    ['Actual', check.actual],
    ['Reason', check.reason],
  ] as const;
  const request = view.decisiveExchange(check);
  return [
    `### ${codeSpan(check.id)} ${escapeMarkdown(check.title)}`,
    ...list([
      ...(requirement === undefined ? [] : requirementLines(requirement)).map(
        ([label, text]) => `${capitalize(label)}: ${escapeMarkdown(text)}`,
      ),
      ...facts.filter(([, text]) => text !== '').map(([name, text]) => `${name}: ${codeSpan(text)}`),
    ]),
    ...(request === undefined ? [] : [fencedBlock(view.curlCommand(request), 'sh')]),
  ].join('\n\n');
}

function blockedGroup({ blockedBy, reason, checks }: BlockedGroup): string {
  const cause = blockedBy === null ? '' : ` by ${codeSpan(blockedBy)}`;
  const ids = checks.map((check) => codeSpan(check.id)).join(', ');
  return `**${pluralize(checks.length, 'check')}**${cause}: ${codeSpan(reason)}\n\n${ids}`;
}

function observations({ observations }: Report): string[] {
  if (observations.length === 0) return [];
  const rows = observations.map(({ id, question, value }) =>
    tableRow([codeSpan(id), codeSpan(question), codeSpan(JSON.stringify(value))]),
  );
  return [[tableRow(['id', 'question', 'observed']), tableRow(['---', '---', '---']), ...rows].join('\n')];
}
