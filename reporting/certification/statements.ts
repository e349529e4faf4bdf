import type { RunStatement, TestResultStatement } from '../../specs/certification/statements.ts';
import type { Report } from '../../specs/formats/report.ts';

/** The files that a statement is about, with their digests in hexadecimal. */
export type Subjects = TestResultStatement['subject'];

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

/** What the run says in the terms of the in-toto test-result predicate. `configuration`: the target description of the package. */
export function testResultOf(report: Report, subject: Subjects, configuration: Subjects): TestResultStatement {
  const idsWith = (...verdicts: string[]) =>
    report.checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
  const catalogue = { name: 'catalogue', digest: { sha256: report.catalogue.digest.replace('sha256:', '') } };
  return {
    _type: STATEMENT_TYPE,
    subject,
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: resultOf(report),
      configuration: [catalogue, ...configuration],
      passedTests: idsWith('pass'),
      warnedTests: idsWith('warn'),
      failedTests: idsWith('fail', 'error'),
    },
  };
}

/** A package without everything that is required has not passed. */
function resultOf({ verdict, exceptions, checks }: Report): TestResultStatement['predicate']['result'] {
  if (verdict !== 'conformant') return 'FAILED';
  const isComplete = exceptions.length === 0 && checks.every((check) => check.verdict !== 'warn');
  return isComplete ? 'PASSED' : 'WARNED';
}

/** Everything that identifies the run and its verdict. */
export function runStatementOf(report: Report, subject: Subjects): RunStatement {
  const { kit, certification, run, target, catalogue, verdict, headline, exceptions, notes } = report;
  const outline = ({ id, level, verdict: its }: { id: string; level: string; verdict: string }) => ({
    id,
    level,
    verdict: its,
  });
  return {
    _type: STATEMENT_TYPE,
    subject,
    predicateType: 'urn:invoicing-network-conformance:run:v1',
    predicate: {
      ...{ kit, certification, run, target, catalogue, verdict, headline, exceptions, notes },
      requirements: report.requirements.map(outline),
      checks: report.checks.map(outline),
    },
  };
}
