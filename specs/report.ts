import { z } from 'zod';
import { derivation } from './catalogue/requirement.ts';
import {
  exchangeRecord,
  headerRecord,
  leftoverRecord,
  observationRecord,
  removedRecord,
  SCHEMA_VERSION,
  withdrawnRecord,
} from './journal.ts';
import { checkVerdict, level, requirementVerdict, runVerdict } from './verdicts.ts';

/** A summary of an exchange in one line; evidence.jsonl contains the whole exchange under the same id. */
export const exchangeSummary = z.strictObject({
  id: z.string(),
  label: z.string(),
  attempt: z.number().int(),
  method: z.string(),
  url: z.string(),
  /** Null if there was no response; `failure` gives the reason. */
  status: z.number().int().nullable(),
  failure: z.string().nullable(),
});

export type ExchangeSummary = z.infer<typeof exchangeSummary>;

export const checkReport = z.strictObject({
  id: z.string(),
  requirement: z.string(),
  title: z.string(),
  level,
  verdict: checkVerdict,
  /** False if the run ended before the check did. */
  executed: z.boolean(),
  reason: z.string(),
  expected: z.string(),
  actual: z.string(),
  blockedBy: z.string().nullable(),
  durationMs: z.number(),
  exchanges: z.array(exchangeSummary),
  /** The exchange that reason and actual describe, then further evidence: ids of exchanges in `evidence`. */
  decisive: z.array(z.string()),
  /** For fail and warn: the places at which the deciding response is not as expected, as far as the kit can name them. */
  differences: z.array(
    z.strictObject({
      /** `status`, or the jq path of a field of the body. */
      path: z.string(),
      /** The expected value, as JSON; null if the expectation is about no single value. */
      expected: z.string().nullable(),
      /** The actual value, as JSON; null if the field is missing. */
      actual: z.string().nullable(),
    }),
  ),
  /** For fail and warn: a shell script that shows the failure again; null for every other verdict. */
  reproduction: z
    .strictObject({
      /** Null if no script can show it. */
      script: z.string().nullable(),
      /** Why there is no script; empty if there is one. */
      reason: z.string(),
    })
    .nullable(),
});
export type CheckReport = z.infer<typeof checkReport>;

export const requirementReport = z.strictObject({
  id: z.string(),
  area: z.string(),
  /** The place of the requirement in the contract. */
  place: z.string(),
  level,
  statement: z.string(),
  /** The rules that the checks judge beyond the statement, and the step to each. */
  derived: z.array(derivation),
  verdict: requirementVerdict,
  /** Why the requirement was not judged; absent if it was. */
  reason: z.string(),
  checks: z.array(z.string()),
});
export type RequirementReport = z.infer<typeof requirementReport>;

/** A defect that probably causes several failures, by comparison with the known defects. It never changes a verdict. */
export const causeReport = z.strictObject({
  /** The defect in one sentence. */
  sentence: z.string(),
  /** The requirement that the defect breaks. */
  requirement: z.string(),
  area: z.string(),
  /** Id of the failed check that shows the defect with the simplest experiment. */
  startWith: z.string(),
  /** Ids of the failures and warnings that the defect explains, `startWith` first. */
  explains: z.array(z.string()),
  /** Ids of the checks that passed, although a server with the known defect fails them. */
  contradictedBy: z.array(z.string()),
  /** Id of the known defect; null if the failures only have the requirement in common. */
  fault: z.string().nullable(),
});
export type Cause = z.infer<typeof causeReport>;

const milliseconds = z.number().nonnegative();

/** Latencies by operation, and when each area was judged, in milliseconds after the start of the run. */
export const timings = z.strictObject({
  operations: z.array(
    z.strictObject({
      operation: z.string(),
      requests: z.number().int(),
      medianMs: milliseconds,
      p95Ms: milliseconds,
      maxMs: milliseconds,
    }),
  ),
  areas: z.array(
    z.strictObject({ area: z.string(), requests: z.number().int(), fromMs: milliseconds, toMs: milliseconds }),
  ),
});
export type Timings = z.infer<typeof timings>;

const verdictCounts = z.record(checkVerdict, z.number().int().nonnegative());

export const report = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kit: headerRecord.shape.kit,
  run: z.strictObject({
    ...headerRecord.shape.run.shape,
    finishedAt: z.iso.datetime(),
    /** Null for a complete run. */
    interrupted: z.string().nullable(),
  }),
  target: headerRecord.shape.target,
  catalogue: z.strictObject({ digest: z.string() }),
  verdict: runVerdict,
  /** The verdict with its scope and exceptions, such as `conformant for profile full, except reset (not allowed)`. */
  headline: z.string(),
  /**
   * The exceptions of the verdict: checks that the target file does not allow, operations that it declares
   * `not-offered`.
   */
  exceptions: z.array(z.string()),
  /** Further facts for a reader of the verdict, such as `production writes were allowed`. */
  notes: z.array(z.string()),
  /** One sentence that explains the verdict. */
  verdictReason: z.string(),
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  summary: z.strictObject({
    /** Checks by verdict. */
    checks: verdictCounts,
    /** Requirements with at least one check in this run, by verdict. */
    requirements: verdictCounts,
    selected: z.number().int(),
    executed: z.number().int(),
    exchanges: z.number().int(),
    durationMs: z.number(),
  }),
  /** The defects that probably cause the failures and warnings, the one that explains most first; at most five. */
  causes: z.array(causeReport),
  /** Ids of the failures and warnings that no cause explains. */
  unexplained: z.array(z.string()),
  requirements: z.array(requirementReport),
  checks: z.array(checkReport),
  timings,
  excluded: headerRecord.shape.excluded,
  /**
   * The checks that the previous run in the same folder judged and this one did not; null if there was no such run of
   * this target.
   */
  coverage: z
    .strictObject({
      /** Id of that run. */
      previous: z.string(),
      startedAt: z.iso.datetime(),
      lost: z.array(
        z.strictObject({
          check: z.string(),
          before: z.enum(['pass', 'warn', 'fail']),
          now: z.enum(['blocked', 'error', 'not-applicable', 'not-selected']),
          reason: z.string(),
        }),
      ),
    })
    .nullable(),
  observations: z.array(observationRecord.omit({ kind: true })),
  leftovers: z.array(leftoverRecord.omit({ kind: true })),
  /** Items that the run has created and removed, by kind; a cancelled invoice counts as removed. */
  removed: z.array(removedRecord.omit({ kind: true })),
  /** Null if nothing was withdrawn. */
  withdrawn: withdrawnRecord.omit({ kind: true }).nullable(),
  /**
   * Complete exchanges of the checks that neither passed nor were not applicable: the deciding ones, and the last
   * eight, up to eight megabytes. evidence.jsonl contains all others.
   */
  evidence: z.array(exchangeRecord.omit({ kind: true })),
});
export type Report = z.infer<typeof report>;
