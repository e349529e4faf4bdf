import type { CheckReport, Report } from '../../specs/report.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { escapeControlCharacters, escapeToSingleLine } from '../text/escape-control-characters.ts';
import { groupBy } from '../text/group-by.ts';
import { requirementLines } from '../text/requirement-text.ts';

/**
 * JUnit XML, for CI servers: one suite per area, one case per selected check, as
 * `<testcase classname="AUTH-03" name="AUTH-03.revoked-key A revoked key is rejected"><failure message="…">…`
 */
export function renderJunit(report: Report): string {
  const view = createReportView(report);
  const byArea = groupBy(report.checks, (check) => view.requirementOf(check)?.area ?? check.requirement);
  const suites = [...byArea].map(([area, checks]) => renderSuite(area, checks, report, view));
  const title = `${report.target.name}: ${report.headline}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: title, ...suiteCounts(report.checks), time: formatSeconds(report.summary.durationMs) })}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite(area: string, checks: readonly CheckReport[], report: Report, view: ReportView): string {
  const time = formatSeconds(checks.reduce((sum, check) => sum + check.durationMs, 0));
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
    `  <testsuite${attributes({ name: area, ...suiteCounts(checks), time, timestamp })}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...checks.map((check) => renderTestcase(check, view)),
    '  </testsuite>',
  ].join('\n');
}

function renderTestcase(check: CheckReport, view: ReportView): string {
  const name = `${check.id} ${check.title}`;
  const opening = `    <testcase${attributes({ classname: check.requirement, name, time: formatSeconds(check.durationMs) })}`;
  const outcome = RENDER_OUTCOME[check.verdict](check, view);
  return outcome === '' ? `${opening}/>` : `${opening}>${outcome}</testcase>`;
}

const RENDER_OUTCOME: Record<CheckReport['verdict'], (check: CheckReport, view: ReportView) => string> = {
  fail: (check, view) =>
    element('failure', { message: check.reason || check.actual, type: 'fail' }, checkDetails(check, view)),
  error: (check, view) => element('error', { message: check.reason, type: 'error' }, checkDetails(check, view)),
  blocked: (check) => element('skipped', { message: `blocked: ${blockedReason(check)}` }),
  warn: (check, view) => element('system-out', {}, `warning: ${checkDetails(check, view)}`),
  pass: () => '',
  'not-applicable': (check) => element('skipped', { message: `not applicable: ${check.reason}` }),
};

function blockedReason({ reason, blockedBy }: CheckReport): string {
  return blockedBy === null || reason.includes(blockedBy) ? reason : `${reason} (${blockedBy})`;
}

function checkDetails(check: CheckReport, view: ReportView): string {
  const requirement = view.requirementOf(check);
  const request = view.decisiveExchange(check);
  const file = view.scriptFile(check);
  const lines = [
    ...(requirement === undefined ? [] : requirementLines(requirement)).map(([label, text]) => `${label}: ${text}`),
    check.expected && `expected: ${check.expected}`,
    check.actual && `actual: ${check.actual}`,
    check.reason && `reason: ${check.reason}`,
    file === null ? `reproduce: conformance run --only ${check.id}` : `reproduce: sh ${file}`,
    file !== null || request === undefined ? '' : view.curlCommand(request),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function suiteCounts(checks: readonly CheckReport[]): Record<string, number> {
  const count = (...verdicts: CheckReport['verdict'][]) =>
    checks.filter((check) => verdicts.includes(check.verdict)).length;
  return {
    tests: checks.length,
    failures: count('fail'),
    errors: count('error'),
    skipped: count('blocked', 'not-applicable'),
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
