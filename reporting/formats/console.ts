import picocolors from 'picocolors';
import type { CheckReport, Report } from '../../specs/report.ts';
import type { RunVerdict } from '../../specs/verdicts.ts';
import { coverageLines } from '../report/coverage.ts';
import { groupBy } from '../report/group-by.ts';
import { type BlockedGroup, createReportView, type ReportView } from '../report/report-view.ts';
import { escapeForLog, escapeToSingleLine, truncate } from '../text/escape-control-characters.ts';
import { requirementLines } from '../text/requirement-text.ts';
import { wrapText } from '../text/text-wrap.ts';
import {
  formatCounts,
  formatDuration,
  formatVerdictCounts,
  formatWithdrawn,
  joinNames,
  pluralize,
} from '../text/wording.ts';

export interface ConsoleOptions {
  readonly color: boolean;
  /** Columns of the terminal. Text is wrapped at this width, commands are not. */
  readonly width: number;
  readonly reportPath: string;
}

/** Keeps the first failure visible in a terminal. The report contains all of them. */
const MAX_FAILURES = 20;
const MAX_WARNINGS = 10;
const MAX_LINE_LENGTH = 400;
const MAX_COMMAND_LENGTH = 2000;

/** The summary of a run, with the verdict and the report path last. Escapes control characters of the server, such as colours. */
export function consoleSummary(report: Report, options: ConsoleOptions): string {
  const view = createReportView(report);
  const write = createWriter(options);
  const blocks = [
    ...failureBlocks(view.failed, 'fail', view, write),
    ...failureBlocks(view.errors, 'error', view, write),
    ...(view.blocked.length === 0 ? [] : [view.blocked.map((group) => blockedLines(group, write)).join('\n')]),
    ...(view.warned.length === 0 ? [] : [warnings(view.warned, write)]),
    closingLines(report, options, write),
  ];
  return `\n${blocks.join('\n\n')}\n`;
}

type Colours = ReturnType<typeof picocolors.createColors>;
interface Writer {
  readonly colours: Colours;
  /** A labelled, sanitised and wrapped line; empty for an empty text. */
  line(label: string, text: string): string[];
}

const INDENT = '  ';
const LABEL_WIDTH = 12;

function createWriter({ color, width }: ConsoleOptions): Writer {
  const colours = picocolors.createColors(color);
  return {
    colours,
    line: (label, text) => {
      const clean = truncate(sanitize(text), MAX_LINE_LENGTH);
      if (clean === '') return [];
      const rows = wrapText(clean, width - INDENT.length - LABEL_WIDTH);
      // The mark keeps text of the server from the beginning of a line, where a CI system could read it as a command.
      return rows.map((row, index) => INDENT + colours.dim((index === 0 ? label : '|').padEnd(LABEL_WIDTH)) + row);
    },
  };
}

function failureBlocks(
  checks: readonly CheckReport[],
  kind: 'fail' | 'error',
  view: ReportView,
  write: Writer,
): string[] {
  const told = checks.slice(0, MAX_FAILURES).map((check) => failureBlock(check, kind, view, write));
  const rest = checks.length - told.length;
  const word = kind === 'fail' ? 'failure' : 'error';
  return rest > 0 ? [...told, write.colours.red(`and ${pluralize(rest, `more ${word}`)} in the report`)] : told;
}

function failureBlock(check: CheckReport, kind: 'fail' | 'error', view: ReportView, write: Writer): string {
  const { colours } = write;
  const paint = kind === 'fail' ? colours.red : colours.magenta;
  const request = view.decisiveExchange(check);
  return [
    `${paint(colours.bold(kind.toUpperCase()))} ${colours.bold(sanitize(check.id))} ${sanitize(check.title)}`,
    ...checkRequirementLines(check, view).flatMap(([label, text]) => write.line(label, text)),
    ...write.line('expected', check.expected),
    ...write.line('actual', check.actual),
    ...write.line('reason', check.reason),
    ...(request === undefined
      ? []
      : [INDENT + colours.cyan(truncate(escapeForLog(view.curlCommand(request)), MAX_COMMAND_LENGTH))]),
  ].join('\n');
}

function checkRequirementLines(check: CheckReport, view: ReportView): [label: string, text: string][] {
  const requirement = view.requirementOf(check);
  return requirement === undefined ? [] : requirementLines(requirement);
}

function blockedLines({ blockedBy, reason, checks }: BlockedGroup, write: Writer): string {
  const title = `${write.colours.yellow('BLOCKED')} ${pluralize(checks.length, 'check')}`;
  const cause = blockedBy === null ? '' : ` by ${sanitize(blockedBy)}`;
  const ids = joinNames(
    checks.map((check) => check.id),
    4,
  );
  return [title + cause, ...write.line('reason', reason), ...write.line('checks', ids)].join('\n');
}

function warnings(warned: readonly CheckReport[], { colours }: Writer): string {
  const lines = warned.slice(0, MAX_WARNINGS).map((check) => {
    const text = truncate(sanitize(check.reason || check.actual || check.title), MAX_LINE_LENGTH);
    return `${colours.yellow('WARN')} ${sanitize(check.id)} ${text}`;
  });
  const rest = warned.length - lines.length;
  return [...lines, ...(rest > 0 ? [colours.yellow(`and ${pluralize(rest, 'more warning')} in the report`)] : [])].join(
    '\n',
  );
}

function closingLines(report: Report, { reportPath }: ConsoleOptions, { colours }: Writer): string {
  const { summary, leftovers, removed, withdrawn, excluded, verdict } = report;
  const counts = formatVerdictCounts(summary.checks);
  const kinds = groupBy(leftovers, ({ what }) => what);
  const left = sanitize(formatCounts([...kinds].map(([what, all]) => ({ what, count: all.length }))));
  return [
    `${counts} ${colours.dim(`(${pluralize(summary.exchanges, 'exchange')}, ${formatDuration(summary.durationMs)})`)}`,
    ...(excluded.length === 0
      ? []
      : [`${pluralize(excluded.length, 'check')} left out: ${sanitize(exclusionReasons(excluded))}`]),
    ...(leftovers.length === 0
      ? []
      : [`${pluralize(leftovers.length, 'item')} could not be cleaned up, listed in the report: ${left}`]),
    ...(removed.length === 0 ? [] : [`cleaned up: ${sanitize(formatCounts(removed))}`]),
    ...coverageLines(report).map((line) => colours.yellow(sanitize(line))),
    ...(withdrawn === null ? [] : [sanitize(formatWithdrawn(withdrawn))]),
    '',
    `${verdictColor(verdict, colours)(colours.bold(sanitize(report.headline)))}. ${sanitize(report.verdictReason)}`,
    `${colours.dim('report')} ${sanitize(reportPath)}`,
  ].join('\n');
}

function sanitize(text: string): string {
  return escapeForLog(escapeToSingleLine(text));
}

function exclusionReasons(excluded: Report['excluded']): string {
  return joinNames([...new Set(excluded.map(({ reason }) => reason))]);
}

function verdictColor(verdict: RunVerdict, colours: Colours): (text: string) => string {
  const { green, red, yellow } = colours;
  return { conformant: green, passed: green, 'non-conformant': red, inconclusive: yellow }[verdict];
}
