import { derivationOf } from '../../specs/catalogue/requirement.ts';
import type {
  CheckReport,
  CustomAreaReport,
  CustomCheckReport,
  Report,
  RequirementReport,
} from '../../specs/formats/report.ts';
import { customSuiteName } from '../report/custom-areas.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { escapeJson } from '../text/escape-control-characters.ts';
import { knownFailureText } from '../text/wording.ts';

/** `pending` is a test that could not run yet; `other` needs a look, but does not fail the run, such as a failure that the gate accepts. */
const STATUSES: Record<CheckReport['verdict'], string> = {
  fail: 'failed',
  error: 'failed',
  blocked: 'pending',
  warn: 'other',
  pass: 'passed',
  'not-applicable': 'skipped',
};

const SPEC_VERSION = '0.0.0';

/** The report in the Common Test Report Format (https://ctrf.io): one test per selected check and per custom check. */
export function* ctrfPieces(report: Report): Generator<string, void, undefined> {
  yield `${escapeJson(JSON.stringify(ctrfReport(report), null, 2))}\n`;
}

function ctrfReport(report: Report) {
  const view = createReportView(report);
  const { kit, run, target, summary } = report;
  const tests = [...report.checks.map((check) => ctrfTest(check, view)), ...report.custom.flatMap(customTests)];
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
  const known = view.knownFailure(check);
  return {
    ...outcomeOf(check, file === null ? '' : `reproduce: sh ${file}`),
    suite: [requirement?.area ?? check.requirement, check.requirement],
    tags: [check.level],
    // The gate accepts it: it must not turn a summary red.
    ...(check.verdict === 'fail' && view.isAccepted(check) && { status: 'other' }),
    ...(known && { message: `${knownFailureText(known)}. ${check.reason}`.trim() }),
    ...(file !== null && {
      attachments: [{ name: 'reproduction script', contentType: 'application/x-sh', path: file }],
    }),
    ...(requirement !== undefined && { extra: extraOf(requirement, check) }),
  };
}

function extraOf(requirement: RequirementReport, { id }: CheckReport) {
  const { place, statement } = requirement;
  const rule = derivationOf(requirement, id)?.rule;
  return { place, statement, ...(rule !== undefined && { derived: rule }) };
}

/** The tag tells them from the checks of the contract, which alone decide the verdict. */
function customTests({ area, requirements }: CustomAreaReport) {
  return requirements.flatMap(({ id, place, statement, checks }) =>
    checks.map((check) => ({
      ...outcomeOf(check),
      suite: [customSuiteName(area), id],
      tags: ['custom'],
      extra: { place, statement },
    })),
  );
}

function outcomeOf(check: CheckReport | CustomCheckReport, reproduce = '') {
  const trace = [check.expected && `expected: ${check.expected}`, check.actual && `actual: ${check.actual}`, reproduce];
  const lines = trace.filter((line) => line !== '');
  return {
    name: `${check.id} ${check.title}`,
    status: STATUSES[check.verdict],
    rawStatus: check.verdict,
    duration: Math.round(check.durationMs),
    ...(check.reason !== '' && { message: check.reason }),
    ...(lines.length > 0 && { trace: lines.join('\n') }),
  };
}
