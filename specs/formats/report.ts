import { z } from 'zod';
import { derivation } from '../catalogue/requirement.ts';
import { certification } from '../certification/certification.ts';
import { checkVerdict, level, requirementVerdict, runVerdict } from '../verdicts.ts';
import { knownFailure } from './baseline.ts';
import {
  exchangeRecord,
  gateSettings,
  headerRecord,
  leftoverRecord,
  observationRecord,
  removedRecord,
  SCHEMA_VERSION,
  withdrawnRecord,
} from './journal.ts';

export const exchangeSummary = z.strictObject({
  id: z.string().describe('Id of the exchange, unique in the run.'),
  label: z.string().describe('The actor and the operation, such as `seller: create`.'),
  attempt: z.number().int().describe('1 for the first attempt; later attempts repeat the same request.'),
  method: z.string().describe('HTTP method.'),
  url: z.string().describe('The absolute URL, cut after 2000 characters.'),
  status: z
    .number()
    .int()
    .nullable()
    .describe('HTTP status; null if there was no response. `failure` then gives the reason.'),
  failure: z.string().nullable().describe('Why there was no response; null if there was one.'),
});

export type ExchangeSummary = z.infer<typeof exchangeSummary>;

export const checkReport = z.strictObject({
  id: z.string().describe('Id of the check, such as `LIFE-02.approved-cancel`.'),
  requirement: z.string().describe('Id of the requirement that the check judges.'),
  title: z.string().describe('What the check expects of the server, in one sentence.'),
  level,
  verdict: checkVerdict,
  executed: z.boolean().describe('False if the run ended before the check did.'),
  reason: z.string().describe('The reason for the verdict; empty for pass.'),
  expected: z.string().describe('For fail and warn: the expected result. Empty for every other verdict.'),
  actual: z.string().describe('For fail and warn: the actual result. Empty for every other verdict.'),
  blockedBy: z
    .string()
    .nullable()
    .describe(
      'For blocked: the check that failed first, the field of the target file to correct, the option that limits the requests, or `target`. Null if there is none.',
    ),
  disturbed: z
    .boolean()
    .describe(
      'For not-applicable: whether other users of the sandbox disturbed the check, so that another run may judge it.',
    ),
  durationMs: z
    .number()
    .describe('Duration in milliseconds, including waits for other checks; 0 if the check was not executed.'),
  exchanges: z
    .array(exchangeSummary)
    .describe('All exchanges of the check, in order. `evidence.jsonl` contains each in full, under the same id.'),
  decisive: z
    .array(z.string())
    .describe(
      'Ids of exchanges: first the one that reason and actual describe, then further evidence. Empty if the verdict depends on none.',
    ),
  differences: z
    .array(
      z.strictObject({
        path: z.string().describe('`status`, or the jq path of a field of the body.'),
        expected: z
          .string()
          .nullable()
          .describe('The expected value, as JSON. Null if the expectation names no single value.'),
        actual: z.string().nullable().describe('The actual value, as JSON. Null if the field is missing.'),
      }),
    )
    .describe(
      'For fail and warn: where the deciding response is not as expected. Empty if the kit cannot name a place.',
    ),
  setUp: z
    .array(exchangeSummary)
    .describe(
      'For fail and warn: the exchanges before the check that its script repeats, such as the creation of a shared invoice.',
    ),
  reproduction: z
    .strictObject({
      script: z.string().nullable().describe('The text of the script; null if no script can show the failure.'),
      reason: z.string().describe('Why there is no script; empty if there is one.'),
    })
    .nullable()
    .describe('For fail and warn: a shell script that shows the failure again. Null for every other verdict.'),
});
export type CheckReport = z.infer<typeof checkReport>;

export const customAreaReport = z.strictObject({
  area: z.string().describe('Name of the area, such as `partner-portal`.'),
  requirements: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the requirement, such as `PORTAL-01`.'),
        place: z.string().describe('Where the requirement is written.'),
        statement: z.string().describe('What the requirement says.'),
        verdict: checkVerdict.describe('The worst verdict of its checks.'),
        checks: z
          .array(
            checkReport.pick({
              id: true,
              title: true,
              verdict: true,
              executed: true,
              reason: true,
              expected: true,
              actual: true,
              blockedBy: true,
              durationMs: true,
              exchanges: true,
              decisive: true,
            }),
          )
          .describe('Its checks, in the order of the file.'),
      }),
    )
    .describe('Its requirements, in the order of the file.'),
});
export type CustomAreaReport = z.infer<typeof customAreaReport>;
export type CustomCheckReport = CustomAreaReport['requirements'][number]['checks'][number];

export const requirementReport = z.strictObject({
  id: z.string().describe('Id of the requirement, such as `LIFE-02`.'),
  area: z.string().describe('Area of the contract, such as `lifecycle`.'),
  place: z.string().describe('The place of the requirement in the contract; `; ` separates several places.'),
  level,
  statement: z.string().describe('The statement of the contract, and no more.'),
  derived: z
    .array(derivation)
    .describe('The rules that the checks judge beyond the statement, and the step to each; empty if there are none.'),
  fixes: z
    .array(z.string())
    .describe(
      'How the usual causes of its failures are fixed in a server, one sentence each; empty if nothing is judged.',
    ),
  verdict: requirementVerdict,
  reason: z.string().describe('Why the requirement was not judged; empty if it was.'),
  checks: z.array(z.string()).describe('Ids of its checks in this run.'),
});
export type RequirementReport = z.infer<typeof requirementReport>;

/** A defect that probably causes several failures, by comparison with the known defects. It never changes a verdict. */
export const causeReport = z.strictObject({
  requirement: z.string().describe('Id of the requirement that the defect breaks.'),
  rule: z
    .string()
    .describe(
      'The sentence that the defect breaks: the derived rule that all failures of the requirement judge, otherwise its statement.',
    ),
  proven: z
    .boolean()
    .describe(
      'True if a check of this requirement fails. False if only a warning or a known defect suggests that the server breaks it.',
    ),
  example: z
    .string()
    .nullable()
    .describe(
      'The known defect that causes all of these failures, in one sentence. Null if there is none or more than one, or if too many checks contradict it or are blocked.',
    ),
  targetFile: z
    .string()
    .nullable()
    .describe(
      'What may be wrong in the target file instead, such as `if this key was never revoked, correct actors.revoked`. Null if nothing is known.',
    ),
  area: z.string().describe('Area of that requirement.'),
  startWith: z.string().describe('Id of the failed check that shows the defect with the simplest experiment.'),
  explains: z
    .array(z.string())
    .describe('Ids of the failures and warnings that the defect explains, `startWith` first.'),
  blocks: z.number().int().describe('The number of checks that these failures block.'),
  contradictedBy: z
    .array(z.string())
    .describe('Ids of the checks that passed, although a server with the known defect `fault` fails them.'),
  fault: z
    .string()
    .nullable()
    .describe(
      'Id of the most similar known defect, even if it is no `example`; null if the failures only have the requirement in common.',
    ),
});
export type Cause = z.infer<typeof causeReport>;

const milliseconds = z.number().nonnegative();

export const timings = z
  .strictObject({
    operations: z
      .array(
        z.strictObject({
          operation: z.string().describe('Name of the operation, such as `create`.'),
          requests: z.number().int().describe('Number of its requests, with repeated attempts.'),
          medianMs: milliseconds.describe('Median latency, in milliseconds.'),
          p95Ms: milliseconds.describe('95th percentile of the latency, in milliseconds.'),
          maxMs: milliseconds.describe('Maximum latency, in milliseconds.'),
        }),
      )
      .describe('Latencies by operation, in the order of the first requests.'),
    areas: z
      .array(
        z.strictObject({
          area: z.string().describe('Area of the checks, or `set-up and clean-up`.'),
          requests: z.number().int().describe('Number of requests of its checks, with repeated attempts.'),
          fromMs: milliseconds.describe('When its first request was sent, in milliseconds after the start of the run.'),
          toMs: milliseconds.describe('When its last exchange ended, in milliseconds after the start of the run.'),
        }),
      )
      .describe('When each area was judged, in the order of the first requests.'),
  })
  .describe('Latencies by operation, and when each area was judged.');
export type Timings = z.infer<typeof timings>;

export const gateReport = z.strictObject({
  result: z
    .enum(['passed', 'failed', 'inconclusive'])
    .describe(
      'Whether the build may continue. `inconclusive`: nothing fails the gate, but a required check could not be judged, or the run was interrupted. The verdict does not depend on it.',
    ),
  reason: z.string().describe('One sentence that explains it.'),
  failOn: gateSettings.shape.failOn,
  baseline: gateSettings.shape.baseline,
  known: z
    .array(
      z.strictObject({
        ...knownFailure.shape,
        checks: z.array(z.string()).describe('Ids of the failed checks that the entry covers.'),
      }),
    )
    .describe('The entries of the baseline that cover failures of this run.'),
  notNew: z
    .array(z.string())
    .describe('Ids of the failed checks that already failed when they were last judged; empty with `any`.'),
  failures: z.array(z.string()).describe('Ids of the failed checks that fail the gate.'),
  custom: z.array(z.string()).describe('Ids of the failed custom checks; each fails the gate.'),
  problems: z
    .array(
      z.strictObject({
        id: z.string().describe('The `id` of the entry.'),
        kind: z
          .enum(['passes', 'expired', 'matches-nothing'])
          .describe('`passes`: its checks pass now. `matches-nothing`: it names no check of the kit.'),
        checks: z
          .array(z.string())
          .describe('Ids of the failed checks that an expired entry covered; otherwise empty.'),
        text: z.string().describe('What is wrong and what to do, in one sentence.'),
      }),
    )
    .describe('The entries of the baseline that fail the gate.'),
});
export type GateReport = z.infer<typeof gateReport>;

const verdictCounts = z.record(checkVerdict, z.number().int().nonnegative());

export const report = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION).describe('Version of the form of journal and report.'),
  kit: headerRecord.shape.kit,
  run: z
    .strictObject({
      ...headerRecord.shape.run.shape,
      finishedAt: z.iso
        .datetime()
        .describe('End of the run: ISO 8601, UTC. If the run was killed: when its last exchange was sent.'),
      interrupted: z.string().nullable().describe('The reason for an early end, in words; null for a complete run.'),
    })
    .describe('When and how the checks ran.'),
  target: headerRecord.shape.target,
  catalogue: z
    .strictObject({
      digest: z.string().describe('`sha256:` and a digest that changes with every requirement, level and check.'),
    })
    .describe('The requirements and checks of the kit that judged the target.'),
  verdict: runVerdict,
  headline: z
    .string()
    .describe(
      'The verdict with its scope and exceptions, such as `conformant for profile full, except reset (not allowed)`.',
    ),
  exceptions: z
    .array(z.string())
    .describe(
      'The exceptions of the verdict: checks that the target file does not allow, operations that are `not-offered` or simulated.',
    ),
  notes: z
    .array(z.string())
    .describe('Further facts for a reader of the verdict, such as `production writes were allowed`.'),
  verdictReason: z.string().describe('One sentence that explains the verdict.'),
  gate: gateReport
    .nullable()
    .describe(
      'What `--baseline`, `--fail-on` and custom checks decide; null if the verdict alone decides the exit code.',
    ),
  exitCode: z
    .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
    .describe(
      '0: conformant or passed, or the gate passed. 1: non-conformant, or the gate failed. 2: no check was executed. 3: inconclusive. 4: a defect of the kit.',
    ),
  summary: z
    .strictObject({
      checks: verdictCounts.describe('Number of checks by verdict.'),
      requirements: verdictCounts.describe('Number of requirements with at least one check in this run, by verdict.'),
      selected: z.number().int().describe('Number of checks in this run.'),
      executed: z.number().int().describe('Number of checks that ended before the run did.'),
      exchanges: z.number().int().describe('Number of exchanges of the run, with the preflight, set-up and clean-up.'),
      durationMs: z.number().describe('Duration of the run, in milliseconds.'),
    })
    .describe('The figures of the run.'),
  causes: z
    .array(causeReport)
    .describe(
      'The defects that probably cause the failures and warnings: at most five, the one that explains most first. Empty if nothing failed.',
    ),
  unexplained: z.array(z.string()).describe('Ids of the failures and warnings that no cause explains.'),
  requirements: z.array(requirementReport).describe('All requirements, in the order of the contract.'),
  checks: z.array(checkReport).describe('All checks of this run, in the order of the contract.'),
  custom: z
    .array(customAreaReport)
    .describe('The custom checks, by area; the verdict does not depend on them. Empty without `--custom-checks`.'),
  timings,
  certification: certification
    .nullable()
    .describe('What identifies a run of `conformance certify`; null for any other run.'),
  excluded: headerRecord.shape.excluded,
  coverage: z
    .strictObject({
      previous: z.string().describe('Id of the previous run.'),
      startedAt: z.iso.datetime().describe('Start of the previous run: ISO 8601, UTC.'),
      lost: z
        .array(
          z.strictObject({
            check: z.string().describe('Id of the check.'),
            before: z.enum(['pass', 'warn', 'fail']).describe('Its verdict when it was last judged.'),
            now: z
              .enum(['blocked', 'error', 'not-applicable', 'not-selected'])
              .describe('Its verdict now. `not-selected`: the check is not part of this run.'),
            reason: z.string().describe('Why this run did not judge the check, in one line.'),
          }),
        )
        .describe('The checks that were judged before and not in this run; empty if there are none.'),
      newFailures: z.array(z.string()).describe('Ids of the checks that passed before and fail or warn in this run.'),
      fixed: z.array(z.string()).describe('Ids of the checks that failed or warned before and pass in this run.'),
    })
    .nullable()
    .describe('Comparison with the previous run in the same folder; null if there was no such run of this target.'),
  observations: z
    .array(observationRecord.omit({ kind: true }))
    .describe('How the server does what the contract leaves open; never judged.'),
  leftovers: z
    .array(leftoverRecord.omit({ kind: true }))
    .describe('Items that the run has created and that are on the server after it.'),
  removed: z
    .array(removedRecord.omit({ kind: true }))
    .describe('Items that the run has created and removed, by kind; a cancelled invoice counts as removed.'),
  withdrawn: withdrawnRecord
    .omit({ kind: true })
    .nullable()
    .describe('The money that the run has withdrawn; null if nothing was withdrawn.'),
  evidence: z
    .array(exchangeRecord.omit({ kind: true }))
    .describe(
      'Complete exchanges of checks that neither passed nor were not applicable: the decisive ones, and the last eight of each check, up to 8 MiB. `evidence.jsonl` contains all others.',
    ),
});
export type Report = z.infer<typeof report>;
