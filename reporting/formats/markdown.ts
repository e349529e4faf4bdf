import type { Cause, CheckReport, Report } from '../../specs/formats/report.ts';
import { causesTitle, causeText, explanationText } from '../causes/cause-text.ts';
import { changeLines, unexpectedlyLostChecks } from '../report/coverage.ts';
import { countCustomVerdicts, customChecksOf, customVerdictLabel } from '../report/custom-areas.ts';
import { gateTitle } from '../report/gate.ts';
import { countLeftovers, splitLeftovers } from '../report/leftovers.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { requirementCounts } from '../report/requirement-counts.ts';
import { notApplicableReasons, type UnjudgedGroup } from '../report/unjudged-groups.ts';
import { truncate } from '../text/escape-control-characters.ts';
import { groupBy } from '../text/group-by.ts';
import { codeSpan, escapeMarkdown, fencedBlock } from '../text/markdown-text.ts';
import { requirementLines } from '../text/requirement-text.ts';
import {
  capitalize,
  formatCounts,
  formatDuration,
  formatLimits,
  formatTime,
  formatVerdictCounts,
  formatWithdrawn,
  knownFailureText,
  pluralize,
  rerunCommand,
  VERDICT_LABELS,
} from '../text/wording.ts';

/** A pull-request comment or a job page shows this in full. report.html and report.json contain everything. */
export const MAX_SUMMARY_BYTES = 8192;
/** For the closing line and the note about omitted parts. */
const RESERVED_BYTES = 500;
const MAX_LISTED = 8;
const MAX_FACT_LENGTH = 240;

/**
 * A Markdown summary of at most 8192 bytes for a pull request or a job page: the verdict, the causes with their failures, the
 * blocked checks. All text that is not from the catalogue is in code spans.
 */
export function renderMarkdown(report: Report): string {
  const view = createReportView(report);
  const blocks: Block[] = [
    ...headerBlocks(report).map((text) => ({ part: 'Verdict', text })),
    ...causeSections(report, view),
    ...section('Since the previous run', changeBlocks(report)),
    ...section('Errors of the kit', checkLines(view.errors, view)),
    ...section('Blocked', limited(view.blocked.map(blockedGroup), 'group')),
    ...section('Judged in the previous run, but not in this run', limited(lostChecks(report), 'check')),
    ...section('Custom checks', limited(customLines(report), 'line')),
    ...section('Not applicable', limited(notApplicableReasons(report).map(fact), 'reason')),
    ...section('Left out of this run', limited(exclusions(report), 'reason')),
    ...section('Sandbox', sandboxLines(report)),
  ];
  const closing =
    `Run ${codeSpan(report.run.id)}, seed ${report.run.seed}, ${codeSpan(`${report.kit.name} ${report.kit.version}`)}, ` +
    `catalogue ${codeSpan(report.catalogue.digest)}.`;
  return `${[...fittingBlocks(blocks), closing].join('\n\n')}\n`;
}

/** A part of the summary that is shown as a whole or not at all. */
interface Block {
  /** The heading of its section. */
  readonly part: string;
  readonly text: string;
}

/** The blocks that fit, and a note that names the sections of the others. */
function fittingBlocks(blocks: readonly Block[]): string[] {
  let size = 0;
  const fitting = blocks.filter(({ text }) => {
    size += Buffer.byteLength(text) + 2;
    return size <= MAX_SUMMARY_BYTES - RESERVED_BYTES;
  });
  const omitted = new Set(blocks.filter((block) => !fitting.includes(block)).map(({ part }) => part));
  const texts = fitting.map(({ text }) => text);
  if (omitted.size === 0) return texts;
  return [...texts, `Not shown in full here: ${[...omitted].join(', ')}. See ${codeSpan('report.html')}.`];
}

function headerBlocks(report: Report): string[] {
  const { target, verdict, headline, verdictReason, run, summary } = report;
  return [
    `# ${capitalize(verdict)}: ${codeSpan(truncate(target.name, MAX_FACT_LENGTH))}`,
    codeSpan(capitalize(headline)),
    codeSpan(verdictReason),
    ...gateBlocks(report),
    `${codeSpan(target.baseUrl)}, profile ${codeSpan(run.profile)}, ${formatTime(run.startedAt)}, ` +
      `${formatDuration(summary.durationMs)}, ${pluralize(summary.exchanges, 'exchange')}, ` +
      `${summary.executed} of ${pluralize(summary.selected, 'check')} executed.`,
    ...(run.limits === undefined ? [] : [`Limits: ${formatLimits(run.limits)}.`]),
    `${pluralize(summary.selected, 'check')}: ${formatVerdictCounts(summary.checks, ', ')}.  \n${requirementCounts(report)}.`,
  ];
}

function gateBlocks({ gate }: Report): string[] {
  if (gate === null) return [];
  const problems = gate.problems.map(({ text }) => `\n- ${fact(text)}`);
  return [
    `**${capitalize(gateTitle(gate))}**: ${fact(gate.reason)}${problems.length === 0 ? '' : `\n${problems.join('')}`}`,
  ];
}

/** The blocks of a section, the first one with the heading; empty without blocks. */
function section(part: string, [first, ...others]: readonly string[]): Block[] {
  if (first === undefined) return [];
  return [{ part, text: `## ${part}\n\n${first}` }, ...others.map((text) => ({ part, text }))];
}

/** A list of at most eight items and the number of the others; empty without items. */
function limited(items: readonly string[], noun: string): string[] {
  if (items.length === 0) return [];
  const rest = items.length - MAX_LISTED;
  const more = rest > 0 ? [`and ${pluralize(rest, `more ${noun}`)}`] : [];
  return [[...items.slice(0, MAX_LISTED), ...more].map((item) => `- ${item}`).join('\n')];
}

function causeSections(report: Report, view: ReportView): Block[] {
  const rest = report.unexplained.flatMap((id) => view.findCheck(id) ?? []);
  const [simplest, ...others] = rest;
  return [
    ...section(
      causesTitle(report.causes),
      report.causes.flatMap((cause, index) => causeBlocks(cause, report, view, index === 0)),
    ),
    ...section(
      report.causes.length === 0 ? 'Failures that no known defect explains' : 'Other failures',
      simplest !== undefined && report.causes.length === 0
        ? [...checkBlocks(simplest, view), ...checkLines(others, view)]
        : checkLines(rest, view),
    ),
  ];
}

/** The first cause has the failure to start with in full. */
function causeBlocks(cause: Cause, report: Report, view: ReportView, isFirst: boolean): string[] {
  const [first, ...further] = cause.explains.flatMap((id) => view.findCheck(id) ?? []);
  const explanation = escapeMarkdown(explanationText(cause, report));
  return [
    `**${escapeMarkdown(causeText(cause))}** ${explanation} Start with ${codeSpan(cause.startWith)}.`,
    ...(first === undefined ? [] : isFirst ? checkBlocks(first, view) : [reproductionBlock(first, view)]),
    ...checkLines(first !== undefined && !isFirst ? [first, ...further] : further, view),
  ];
}

/** A failure in full, as far as there is room. */
function checkBlocks(check: CheckReport, view: ReportView): string[] {
  const requirement = view.requirementOf(check);
  const facts = [
    ['Expected', check.expected],
    ['Actual', check.actual],
    ['Reason', check.reason],
  ] as const;
  return [
    [
      checkLine(check, view),
      ...(requirement === undefined ? [] : requirementLines(requirement, check.id)).map(
        ([label, text]) => `  - ${capitalize(label)}: ${escapeMarkdown(text)}`,
      ),
      ...facts.filter(([, text]) => text !== '').map(([name, text]) => `  - ${name}: ${fact(text)}`),
    ].join('\n'),
    reproductionBlock(check, view),
  ];
}

function reproductionBlock(check: CheckReport, view: ReportView): string {
  const file = view.scriptFile(check);
  return fencedBlock(
    file === null ? rerunCommand(view.checksToRepeat(check)) : `sh ${file}   # in the folder of the report`,
    'sh',
  );
}

/** One list, so that the section is complete or absent. */
function changeBlocks(report: Report): string[] {
  return limited(
    changeLines(report).map((line) => codeSpan(line)),
    'line',
  );
}

function checkLines(checks: readonly CheckReport[], view: ReportView): string[] {
  return limited(
    checks.map((check) => checkLine(check, view).slice(2)),
    'check',
  );
}

function checkLine(check: CheckReport, view: ReportView): string {
  const known = view.knownFailure(check);
  const addition = known ? ` (${escapeMarkdown(knownFailureText(known))})` : '';
  return `- ${VERDICT_LABELS[check.verdict]}: ${codeSpan(check.id)} ${escapeMarkdown(check.title)}${addition}`;
}

function fact(text: string): string {
  return codeSpan(truncate(text, MAX_FACT_LENGTH));
}

function blockedGroup({ blockedBy, reason, checks }: UnjudgedGroup): string {
  const cause = blockedBy === null ? '' : ` by ${fact(blockedBy)}`;
  return `**${pluralize(checks.length, 'check')}**${cause}: ${fact(reason)}`;
}

/** The counts of each area, then the checks that did not pass. */
function customLines({ custom }: Report): string[] {
  return [
    ...custom.map((area) => `${codeSpan(area.area)}: ${countCustomVerdicts(area, ', ')}`),
    ...customChecksOf(custom)
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
      .map(
        ({ id, title, verdict, reason }) =>
          `${customVerdictLabel(verdict)}: ${codeSpan(id)} ${escapeMarkdown(title)}: ${fact(reason)}`,
      ),
  ];
}

function lostChecks(report: Report): string[] {
  return unexpectedlyLostChecks(report).map(
    ({ check, before, now, reason }) =>
      `${codeSpan(check)}: ${VERDICT_LABELS[before]}, now ${VERDICT_LABELS[now]}: ${fact(reason)}`,
  );
}

function exclusions({ excluded }: Report): string[] {
  const groups = groupBy(excluded, ({ reason }) => reason);
  return [...groups].map(([reason, all]) => `${pluralize(all.length, 'check')}: ${fact(reason)}`);
}

function sandboxLines(report: Report): string[] {
  const { removed, withdrawn } = report;
  const { permanent, removable } = splitLeftovers(report);
  return limited(
    [
      ...(removable.length === 0
        ? []
        : [
            `Could not be cleaned up: ${codeSpan(countLeftovers(removable))}. Try again with ${codeSpan('conformance cleanup')}.`,
          ]),
      ...(permanent.length === 0
        ? []
        : [`Left on the server, because no action removes them: ${codeSpan(countLeftovers(permanent))}`]),
      ...(removed.length === 0 ? [] : [`Cleaned up: ${codeSpan(formatCounts(removed))}`]),
      ...(withdrawn === null ? [] : [capitalize(formatWithdrawn(withdrawn))]),
    ],
    'line',
  );
}
