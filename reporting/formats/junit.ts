import type { CheckReport, CustomAreaReport, CustomCheckReport, Report } from '../../specs/formats/report.ts';
import { customSuiteName } from '../report/custom-areas.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { escapeControlCharacters, escapeToSingleLine } from '../text/escape-control-characters.ts';
import { groupBy } from '../text/group-by.ts';
import { requirementLines } from '../text/requirement-text.ts';
import { rerunCommand } from '../text/wording.ts';
import type { FormatOptions } from './formats.ts';

/**
 * JUnit XML, for CI servers: one suite per area, one case per selected check, as
 * `<testcase classname="AUTH-03" name="AUTH-03.revoked-key A revoked key is rejected"><failure message="…">…`
 */
export function renderJunit(report: Report, options: FormatOptions = {}): string {
  const view = createReportView(report);
  const byArea = groupBy(report.checks, (check) => view.requirementOf(check)?.area ?? check.requirement);
  const suites = [...byArea].map(([area, checks]) => renderSuite({ area, checks, options }, report, view));
  const title = `${report.target.name}: ${report.headline}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: title, ...suiteCounts(report.checks, view, options), time: formatSeconds(report.summary.durationMs) })}>`,
    ...suites,
    ...report.custom.map(renderCustomSuite),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Suite {
  readonly area: string;
  readonly checks: readonly CheckReport[];
  readonly options: FormatOptions;
}

function renderSuite({ area, checks, options }: Suite, report: Report, view: ReportView): string {
  // The checks of an area overlap, so their durations do not add up.
  const timed = report.timings.areas.find((each) => each.area === area);
  const time = formatSeconds(timed === undefined ? 0 : timed.toMs - timed.fromMs);
  const timestamp = report.run.startedAt.slice(0, 19);
  const properties = {
    kit: `${report.kit.name} ${report.kit.version}`,
    verdict: report.verdict,
    headline: report.headline,
    reason: report.verdictReason,
    profile: report.run.profile,
    seed: String(report.run.seed),
    run: report.run.id,
    catalogue: report.catalogue.digest,
  };
  return [
    `  <testsuite${attributes({ name: area, ...suiteCounts(checks, view, options), time, timestamp })}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...checks.map((check) => renderTestcase(check, view, options)),
    '  </testsuite>',
  ].join('\n');
}

/** The custom checks of an area. The counts of the contract do not include them. */
function renderCustomSuite({ area, requirements }: CustomAreaReport): string {
  const checks = requirements.flatMap((requirement) => requirement.checks.map((check) => ({ check, requirement })));
  const count = (...verdicts: CustomCheckReport['verdict'][]) =>
    checks.filter(({ check }) => verdicts.includes(check.verdict)).length;
  const counts = {
    tests: checks.length,
    failures: count('fail'),
    errors: count('error'),
    skipped: count('blocked', 'not-applicable'),
  };
  return [
    `  <testsuite${attributes({ name: customSuiteName(area), ...counts })}>`,
    ...checks.map(({ check, requirement }) => {
      const name = `${check.id} ${check.title}`;
      const opening = `    <testcase${attributes({ classname: requirement.id, name, time: formatSeconds(check.durationMs) })}`;
      const outcome = renderCustomOutcome(check);
      return outcome === '' ? `${opening}/>` : `${opening}>${outcome}</testcase>`;
    }),
    '  </testsuite>',
  ].join('\n');
}

function renderCustomOutcome({ id, title, verdict, reason, expected, actual }: CustomCheckReport): string {
  const details = [`reason: ${reason}`, expected && `expected: ${expected}`, actual && `actual: ${actual}`];
  const text = details.filter((line) => line !== '').join('\n');
  if (verdict === 'fail') return element('failure', { message: title, type: id }, text);
  if (verdict === 'error') return element('error', { message: title, type: 'error' }, text);
  return verdict === 'pass' ? '' : element('skipped', { message: `${verdict}: ${reason}` });
}

function renderTestcase(check: CheckReport, view: ReportView, options: FormatOptions): string {
  const name = `${check.id} ${check.title}`;
  const opening = `    <testcase${attributes({ classname: check.requirement, name, time: formatSeconds(check.durationMs) })}`;
  const outcome = renderOutcome(check, view, options);
  return outcome === '' ? `${opening}/>` : `${opening}>${outcome}</testcase>`;
}

/** A failure that the gate accepts must not turn the build red, so it is a skipped test, as in other test runners. */
function renderOutcome(check: CheckReport, view: ReportView, options: FormatOptions): string {
  if (check.verdict === 'fail' && view.isAccepted(check)) {
    const known = view.knownFailure(check);
    const message = known ? `known failure: ${known.reason} (${known.issue})` : 'failed before, not new';
    return element('skipped', { message }, checkDetails(check, view));
  }
  if (isBlockedError(check, options))
    return element('error', { message: `blocked: ${blockedReason(check)}`, type: 'blocked' });
  return RENDER_OUTCOME[check.verdict](check, view);
}

const RENDER_OUTCOME: Record<CheckReport['verdict'], (check: CheckReport, view: ReportView) => string> = {
  fail: (check, view) =>
    element('failure', { message: stableMessage(check, view), type: check.requirement }, checkDetails(check, view)),
  error: (check, view) =>
    element('error', { message: `internal error of the kit in ${check.id}`, type: 'error' }, checkDetails(check, view)),
  blocked: (check) => element('skipped', { message: `blocked: ${blockedReason(check)}` }),
  warn: (check, view) => element('system-out', {}, `warning: ${checkDetails(check, view)}`),
  pass: () => '',
  'not-applicable': (check) => element('skipped', { message: `not applicable: ${check.reason}` }),
};

function isBlockedError({ verdict, level }: CheckReport, { areBlockedErrors = false }: FormatOptions): boolean {
  return areBlockedErrors && verdict === 'blocked' && level === 'required';
}

/** Without ids and times, so that a CI server recognizes the same failure in the next run. The details contain the reason. */
function stableMessage(check: CheckReport, view: ReportView): string {
  const status = view.decisiveExchange(check)?.response?.status;
  return `${check.requirement}: ${check.title}${status === undefined ? '' : ` (status ${status})`}`;
}

function blockedReason({ reason, blockedBy }: CheckReport): string {
  return blockedBy === null || reason.includes(blockedBy) ? reason : `${reason} (${blockedBy})`;
}

function checkDetails(check: CheckReport, view: ReportView): string {
  const requirement = view.requirementOf(check);
  const request = view.decisiveExchange(check);
  const file = view.scriptFile(check);
  const lines = [
    check.reason && `reason: ${check.reason}`,
    check.expected && `expected: ${check.expected}`,
    check.actual && `actual: ${check.actual}`,
    file === null ? `reproduce: ${rerunCommand(view.checksToRepeat(check))}` : `reproduce: sh ${file}`,
    file !== null || request === undefined ? '' : view.curlCommand(request),
    ...(requirement === undefined ? [] : requirementLines(requirement, check.id)).map(
      ([label, text]) => `${label}: ${text}`,
    ),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function suiteCounts(checks: readonly CheckReport[], view: ReportView, options: FormatOptions): Record<string, number> {
  const accepted = checks.filter((check) => check.verdict === 'fail' && view.isAccepted(check)).length;
  const blockedErrors = checks.filter((check) => isBlockedError(check, options)).length;
  const count = (...verdicts: CheckReport['verdict'][]) =>
    checks.filter((check) => verdicts.includes(check.verdict)).length;
  return {
    tests: checks.length,
    failures: count('fail') - accepted,
    errors: count('error') + blockedErrors,
    skipped: count('blocked', 'not-applicable') - blockedErrors + accepted,
  };
}

function element(name: string, attrs: Record<string, string>, body = ''): string {
  const content = escapeXml(escapeControlCharacters(body));
  return content === '' ? `<${name}${attributes(attrs)}/>` : `<${name}${attributes(attrs)}>${content}</${name}>`;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(escapeToSingleLine(String(value)))}"`)
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
