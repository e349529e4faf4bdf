import type { CheckReport, Report } from '../../specs/report.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { escapeJson } from '../text/escape-control-characters.ts';

/** `pending` is a test that could not run yet; `other` needs a look, but does not fail the run. */
const STATUSES: Record<CheckReport['verdict'], string> = {
  fail: 'failed',
  error: 'failed',
  blocked: 'pending',
  warn: 'other',
  pass: 'passed',
  'not-applicable': 'skipped',
};

const SPEC_VERSION = '0.0.0';

/** The report in the Common Test Report Format (https://ctrf.io): one test per selected check. */
export function* ctrfPieces(report: Report): Generator<string, void, undefined> {
  yield `${escapeJson(JSON.stringify(ctrfReport(report), null, 2))}\n`;
}

function ctrfReport(report: Report) {
  const view = createReportView(report);
  const { kit, run, target, summary } = report;
  const tests = report.checks.map((check) => ctrfTest(check, view));
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const { product, version } = target.implementation ?? {};
  return {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    runId: run.id,
    timestamp: run.finishedAt,
    generatedBy: kit.name,
    results: {
      tool: { name: kit.name, version: kit.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        start: Date.parse(run.startedAt),
        stop: Date.parse(run.finishedAt),
        duration: summary.durationMs,
        extra: { verdict: report.verdict, headline: report.headline, causes: report.causes },
      },
      tests,
      environment: {
        reportName: `${target.name}: ${report.headline}`,
        ...(product !== undefined && { appName: product }),
        ...(version !== undefined && { appVersion: version }),
        testEnvironment: target.baseUrl,
        extra: { profile: run.profile, seed: run.seed, catalogue: report.catalogue.digest },
      },
    },
  };
}

function ctrfTest(check: CheckReport, view: ReportView) {
  const requirement = view.requirementOf(check);
  const file = view.scriptFile(check);
  const trace = [
    check.expected && `expected: ${check.expected}`,
    check.actual && `actual: ${check.actual}`,
    file === null ? '' : `reproduce: sh ${file}`,
  ].filter((line) => line !== '');
  return {
    name: `${check.id} ${check.title}`,
    status: STATUSES[check.verdict],
    rawStatus: check.verdict,
    duration: Math.round(check.durationMs),
    suite: [requirement?.area ?? check.requirement, check.requirement],
    tags: [check.level],
    ...(check.reason !== '' && { message: check.reason }),
    ...(trace.length > 0 && { trace: trace.join('\n') }),
    ...(file !== null && {
      attachments: [{ name: 'reproduction script', contentType: 'application/x-sh', path: file }],
    }),
    ...(requirement !== undefined && { extra: { place: requirement.place, statement: requirement.statement } }),
  };
}
