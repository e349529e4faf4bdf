import type { Report } from '../../specs/formats/report.ts';
import { isRed, type RunVerdict } from '../../specs/verdicts.ts';
import { causesTitle } from '../causes/cause-text.ts';
import { changeLines, coverageLines } from '../report/coverage.ts';
import { gateTitle } from '../report/gate.ts';
import { countLeftovers, splitLeftovers } from '../report/leftovers.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { notApplicableReasons, type UnjudgedGroup } from '../report/unjudged-groups.ts';
import { truncate } from '../text/escape-control-characters.ts';
import { groupBy } from '../text/group-by.ts';
import {
  anyTargetCommand,
  formatCounts,
  formatDuration,
  formatVerdictCounts,
  formatWithdrawn,
  joinNames,
  type KitCommand,
  pluralize,
} from '../text/wording.ts';
import { customBlocks, customCounts } from './console/custom-checks.ts';
import { causeBlocks, causeSummary, failureBlocks } from './console/failures.ts';
import { type ConsoleOptions, createWriter, sanitize, type Writer } from './console/writer.ts';

/** Enough to see why a run was inconclusive. */
const MAX_BRIEF_BLOCKED = 3;
const MAX_REASON_LENGTH = 160;

/** The summary of a run, with the verdict and the report path last. Escapes control characters of the server, such as colours. */
export function consoleSummary(report: Report, options: ConsoleOptions): string {
  const view = createReportView(report);
  const write = createWriter(options);
  const unjudgedBlocks = [
    ...view.blocked.map((group) => unjudgedLines('BLOCKED', group, write)),
    ...view.notApplicable.map((group) => unjudgedLines('NOT APPLICABLE', group, write)),
  ];
  if (options.isBrief)
    return `${[...unjudgedBlocks.slice(0, MAX_BRIEF_BLOCKED), closingLines(report, options, view, write)].join('\n')}\n`;
  const blocks = [
    ...causeBlocks(report, view, write),
    ...failureBlocks(view.errors, view, write),
    ...(unjudgedBlocks.length === 0 ? [] : [unjudgedBlocks.join('\n')]),
    ...customBlocks(report, write),
    closingLines(report, options, view, write),
  ];
  return `\n${blocks.join('\n\n')}\n`;
}

function unjudgedLines(verdict: string, { blockedBy, reason, checks }: UnjudgedGroup, write: Writer): string {
  const title = `${write.colours.yellow(verdict)} ${pluralize(checks.length, 'check')}`;
  const cause = blockedBy === null ? '' : ` by ${sanitize(blockedBy)}`;
  const ids = joinNames(
    checks.map((check) => check.id),
    4,
  );
  return [title + cause, ...write.line('reason', reason), ...write.line('checks', ids)].join('\n');
}

function closingLines(
  report: Report,
  { reportPath, toCommand = anyTargetCommand, isBrief = false }: ConsoleOptions,
  view: ReportView,
  write: Writer,
): string {
  const { colours } = write;
  const { summary, removed, withdrawn, excluded, verdict } = report;
  const { permanent, removable } = splitLeftovers(report);
  const counts = formatVerdictCounts(summary.checks);
  return [
    `${counts} ${colours.dim(`(${pluralize(summary.exchanges, 'exchange')}, ${formatDuration(summary.durationMs)})`)}`,
    ...(view.notApplicable.length > 0 ? [] : notApplicableLines(report)),
    ...customCounts(report),
    ...(excluded.length === 0
      ? []
      : [`${pluralize(excluded.length, 'check')} left out: ${sanitize(exclusionReasons(excluded))}`]),
    ...(removable.length === 0
      ? []
      : [
          colours.yellow(
            `could not be cleaned up: ${sanitize(countLeftovers(removable))}. Try again with: ${sanitize(toCommand('cleanup', []))}`,
          ),
        ]),
    ...(permanent.length === 0
      ? []
      : [`left on the server, because no action removes them: ${sanitize(countLeftovers(permanent))}`]),
    ...(removed.length === 0 ? [] : [`cleaned up: ${sanitize(formatCounts(removed))}`]),
    ...changeLines(report).map((line) => sanitize(`since the previous run, ${line}`)),
    ...coverageLines(report).map((line) => colours.yellow(sanitize(line))),
    ...(withdrawn === null ? [] : [sanitize(formatWithdrawn(withdrawn))]),
    ...(report.causes.length === 0
      ? []
      : ['', colours.bold(`${causesTitle(report.causes)}:`), ...causeSummary(report.causes, view, write, isBrief)]),
    '',
    `${verdictColor(verdict, colours)(colours.bold(sanitize(report.headline)))}. ${sanitize(report.verdictReason)}`,
    ...gateLines(report, write),
    `${colours.dim('report')} ${sanitize(reportPath)}`,
    ...againLine(report, write, toCommand),
  ].join('\n');
}

function notApplicableLines(report: Report): string[] {
  return notApplicableReasons(report).map((text) => sanitize(truncate(`not applicable: ${text}`, MAX_REASON_LENGTH)));
}

/** What the baseline and `--fail-on` decide in addition to the verdict. */
function gateLines({ gate }: Report, { colours }: Writer): string[] {
  if (gate === null) return [];
  const paint = { passed: colours.green, failed: colours.red, inconclusive: colours.yellow }[gate.result];
  return [
    `${paint(colours.bold(gateTitle(gate)))}: ${sanitize(gate.reason)}`,
    ...gate.problems.map(({ text }) => `  ${sanitize(text)}`),
  ];
}

/** How to run the failures again. */
function againLine({ checks, run }: Report, { colours, folder }: Writer, toCommand: KitCommand): string[] {
  if (!checks.some(isRed)) return [];
  const where = folder === '' ? '.' : folder.replace(/[/\\]$/, '');
  const command = toCommand('run', ['--last-failed', where, ...(run.strict ? ['--strict'] : [])]);
  return [`${colours.dim('again')}  ${sanitize(command)}`];
}

function exclusionReasons(excluded: Report['excluded']): string {
  const groups = [...groupBy(excluded, ({ reason }) => reason)];
  if (groups.length === 1) return groups[0]?.[0] ?? '';
  return groups.map(([reason, checks]) => `${reason} (${checks.length})`).join(', ');
}

function verdictColor(verdict: RunVerdict, colours: Writer['colours']): (text: string) => string {
  const { green, red, yellow } = colours;
  return { conformant: green, passed: green, 'non-conformant': red, inconclusive: yellow }[verdict];
}
