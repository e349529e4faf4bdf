import type { Cause, CheckReport, Report } from '../../../specs/formats/report.ts';
import { causeText, doubtText, explanationText } from '../../causes/cause-text.ts';
import type { ReportView } from '../../report/report-view.ts';
import { escapeForLog, truncate } from '../../text/escape-control-characters.ts';
import { requirementLines } from '../../text/requirement-text.ts';
import { pluralize } from '../../text/wording.ts';
import { INDENT, sanitize, type Writer } from './writer.ts';

/** Keeps the first failure visible in a terminal. The report contains all of them. */
const MAX_FULL_BLOCKS = 20;
const MAX_FURTHER_FAILURES = 10;
const MAX_COMMAND_LENGTH = 2000;

/**
 * The failures under their causes: the simplest one in full, the others in one line each. Failures that no cause explains follow,
 * in full.
 */
export function causeBlocks(report: Report, view: ReportView, write: Writer): string[] {
  const groups = report.causes.flatMap((cause, index) => {
    const [first, ...further] = cause.explains.flatMap((id) => view.findCheck(id) ?? []);
    const number = report.causes.length === 1 ? '' : `${index + 1}. `;
    const title = write.paragraph(`${number}${causeText(cause)}`, INDENT);
    const explanation = write.paragraph(explanationText(cause, report), INDENT);
    return [
      [...title.map(write.colours.bold), ...explanation].join('\n'),
      ...(first === undefined ? [] : [failureBlock(first, view, write)]),
      ...(further.length === 0 ? [] : [furtherFailures(further, write)]),
    ];
  });
  const rest = report.unexplained.flatMap((id) => view.findCheck(id) ?? []);
  if (rest.length === 0) return groups;
  const title =
    report.causes.length === 0 ? [] : [write.colours.bold('Other failures. The kit names at most five defects:')];
  return [...groups, ...title, ...failureBlocks(rest, view, write)];
}

/** Failures or errors in full, up to a limit. */
export function failureBlocks(checks: readonly CheckReport[], view: ReportView, write: Writer): string[] {
  const shown = checks.slice(0, MAX_FULL_BLOCKS).map((check) => failureBlock(check, view, write));
  const rest = checks.length - shown.length;
  const noun = checks[0]?.verdict === 'error' ? 'more error' : 'more failure';
  return rest > 0 ? [...shown, write.colours.red(`and ${pluralize(rest, noun)} in the report`)] : shown;
}

function failureBlock(check: CheckReport, view: ReportView, write: Writer): string {
  const requirement = view.requirementOf(check);
  return [
    failureTitle(check, write),
    ...(requirement === undefined ? [] : requirementLines(requirement, check.id)).flatMap(([label, text]) =>
      write.line(label, text),
    ),
    ...write.line('expected', check.expected),
    ...write.line('actual', check.actual),
    ...write.line('reason', check.reason),
    ...reproductionLines(check, view, write),
  ].join('\n');
}

/** The script that shows the failure again; without one, the deciding request and the reason. */
function reproductionLines(check: CheckReport, view: ReportView, write: Writer): string[] {
  const { cyan } = write.colours;
  const file = view.scriptFile(check);
  if (file !== null) return [write.label('reproduce') + cyan(`sh ${write.folder}${file}`)];
  const request = view.decisiveExchange(check);
  return [
    ...write.line('no script', check.reproduction?.reason ?? ''),
    write.label('check') + cyan(write.rerun(view.checksToRepeat(check))),
    ...(request === undefined
      ? []
      : [INDENT + cyan(truncate(escapeForLog(view.curlCommand(request)), MAX_COMMAND_LENGTH))]),
  ];
}

function furtherFailures(checks: readonly CheckReport[], write: Writer): string {
  const shown = checks.slice(0, MAX_FURTHER_FAILURES).map((check) => failureTitle(check, write));
  const rest = checks.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [write.colours.red(`and ${pluralize(rest, 'more failure')} in the report`)] : []),
  ].join('\n');
}

function failureTitle({ id, title, verdict }: CheckReport, { colours }: Writer): string {
  const paint = { fail: colours.red, warn: colours.yellow, error: colours.magenta }[
    verdict as 'fail' | 'warn' | 'error'
  ];
  return `${paint(colours.bold(verdict.toUpperCase()))} ${colours.bold(sanitize(id))} ${sanitize(title)}`;
}

/**
 * For each cause, the broken requirement and the script to start with, for the end of the summary. `isWhole`: with the statement, which
 * the blocks of the causes also show.
 */
export function causeSummary(causes: readonly Cause[], view: ReportView, write: Writer, isWhole: boolean): string[] {
  return causes.flatMap((cause, index) => {
    const number = causes.length === 1 ? '' : `${index + 1}. `;
    const start = view.findCheck(cause.startWith);
    const file = start && view.scriptFile(start);
    const command = file
      ? `sh ${write.folder}${file}`
      : write.rerun(start ? view.checksToRepeat(start) : [cause.startWith]);
    const doubt = cause.targetFile === null ? '' : `${doubtText(cause)}Otherwise: `;
    const what = isWhole ? causeText(cause) : `${doubt}${cause.requirement}.`;
    return [
      ...write.paragraph(`${number}${what} Start with ${cause.startWith}:`, INDENT),
      INDENT + write.colours.cyan(command),
    ];
  });
}
