import picocolors from 'picocolors';
import type { CheckReport, Report } from '../specs/report.ts';
import type { RunVerdict } from '../specs/verdicts.ts';
import { coverageLines } from './coverage.ts';
import { curl } from './curl.ts';
import { grouped } from './grouped.ts';
import { type BlockedGroup, type Outline, outline } from './outline.ts';
import { requirementLines } from './requirement-text.ts';
import { logText, shorten, visibleLine } from './visible.ts';
import { amount, countsOf, duration, enumerate, tally, withdrawnInWords } from './wording.ts';
import { wrapped } from './wrapped.ts';

export interface ConsoleOptions {
  readonly color: boolean;
  /** Columns of the terminal; text is wrapped to it, commands never are. */
  readonly width: number;
  readonly reportPath: string;
}

/** Beyond these a terminal scrolls the first failure away; the report has them all. */
const FAILURE_LIMIT = 20;
const WARNING_LIMIT = 10;
const TEXT_LIMIT = 400;
const COMMAND_LIMIT = 2000;

/** The closing words of a run, the verdict and the way to the report last. Colours are its own alone. */
export function consoleSummary(report: Report, options: ConsoleOptions): string {
  const view = outline(report);
  const write = writer(options);
  const blocks = [
    ...accounts(view.failed, 'fail', view, write),
    ...accounts(view.broken, 'error', view, write),
    ...(view.blocked.length === 0 ? [] : [view.blocked.map((group) => blockedLines(group, write)).join('\n')]),
    ...(view.warned.length === 0 ? [] : [warnings(view.warned, write)]),
    closing(report, options, write),
  ];
  return `\n${blocks.join('\n\n')}\n`;
}

type Colours = ReturnType<typeof picocolors.createColors>;
interface Writer {
  readonly colours: Colours;
  /** A labelled, sanitised and wrapped line; nothing for an empty text. */
  line(label: string, text: string): string[];
}

const INDENT = '  ';
const LABEL_WIDTH = 12;

function writer({ color, width }: ConsoleOptions): Writer {
  const colours = picocolors.createColors(color);
  return {
    colours,
    line: (label, text) => {
      const clean = shorten(plain(text), TEXT_LIMIT);
      if (clean === '') return [];
      const rows = wrapped(clean, width - INDENT.length - LABEL_WIDTH);
      // A mark before every further row: no word of the server's may begin a line of a CI log.
      return rows.map((row, index) => INDENT + colours.dim((index === 0 ? label : '|').padEnd(LABEL_WIDTH)) + row);
    },
  };
}

function accounts(checks: readonly CheckReport[], kind: 'fail' | 'error', view: Outline, write: Writer): string[] {
  const told = checks.slice(0, FAILURE_LIMIT).map((check) => account(check, kind, view, write));
  const rest = checks.length - told.length;
  const word = kind === 'fail' ? 'failure' : 'error';
  return rest > 0 ? [...told, write.colours.red(`and ${amount(rest, `more ${word}`)} in the report`)] : told;
}

function account(check: CheckReport, kind: 'fail' | 'error', view: Outline, write: Writer): string {
  const { colours } = write;
  const paint = kind === 'fail' ? colours.red : colours.magenta;
  const request = view.decisive(check);
  return [
    `${paint(colours.bold(kind.toUpperCase()))} ${colours.bold(plain(check.id))} ${plain(check.title)}`,
    ...requirementOf(check, view).flatMap(([label, text]) => write.line(label, text)),
    ...write.line('expected', check.expected),
    ...write.line('actual', check.actual),
    ...write.line('reason', check.reason),
    ...(request === undefined ? [] : [INDENT + colours.cyan(shorten(logText(curl(request)), COMMAND_LIMIT))]),
  ].join('\n');
}

function requirementOf(check: CheckReport, view: Outline): [label: string, text: string][] {
  const requirement = view.requirementOf(check);
  return requirement === undefined ? [] : requirementLines(requirement);
}

function blockedLines({ blockedBy, reason, checks }: BlockedGroup, write: Writer): string {
  const title = `${write.colours.yellow('BLOCKED')} ${amount(checks.length, 'check')}`;
  const cause = blockedBy === null ? '' : ` by ${plain(blockedBy)}`;
  const ids = enumerate(
    checks.map((check) => check.id),
    4,
  );
  return [title + cause, ...write.line('reason', reason), ...write.line('checks', ids)].join('\n');
}

function warnings(warned: readonly CheckReport[], { colours }: Writer): string {
  const lines = warned.slice(0, WARNING_LIMIT).map((check) => {
    const text = shorten(plain(check.reason || check.actual || check.title), TEXT_LIMIT);
    return `${colours.yellow('WARN')} ${plain(check.id)} ${text}`;
  });
  const rest = warned.length - lines.length;
  return [...lines, ...(rest > 0 ? [colours.yellow(`and ${amount(rest, 'more warning')} in the report`)] : [])].join(
    '\n',
  );
}

function closing(report: Report, { reportPath }: ConsoleOptions, { colours }: Writer): string {
  const { summary, leftovers, removed, withdrawn, excluded, verdict } = report;
  const counts = tally(summary.checks);
  const kinds = grouped(leftovers, ({ what }) => what);
  const left = plain(countsOf([...kinds].map(([what, all]) => ({ what, count: all.length }))));
  return [
    `${counts} ${colours.dim(`(${amount(summary.exchanges, 'exchange')}, ${duration(summary.durationMs)})`)}`,
    ...(excluded.length === 0 ? [] : [`${amount(excluded.length, 'check')} left out: ${plain(reasonsOf(excluded))}`]),
    ...(leftovers.length === 0
      ? []
      : [`${amount(leftovers.length, 'item')} could not be cleaned up, listed in the report: ${left}`]),
    ...(removed.length === 0 ? [] : [`cleaned up: ${plain(countsOf(removed))}`]),
    ...coverageLines(report).map((line) => colours.yellow(plain(line))),
    ...(withdrawn === null ? [] : [plain(withdrawnInWords(withdrawn))]),
    '',
    `${verdictPaint(verdict, colours)(colours.bold(plain(report.headline)))}. ${plain(report.verdictReason)}`,
    `${colours.dim('report')} ${plain(reportPath)}`,
  ].join('\n');
}

function plain(text: string): string {
  return logText(visibleLine(text));
}

function reasonsOf(excluded: Report['excluded']): string {
  return enumerate([...new Set(excluded.map(({ reason }) => reason))]);
}

function verdictPaint(verdict: RunVerdict, colours: Colours): (text: string) => string {
  const { green, red, yellow } = colours;
  return { conformant: green, passed: green, 'non-conformant': red, inconclusive: yellow }[verdict];
}
