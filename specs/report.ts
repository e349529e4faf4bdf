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

/** One line about an exchange; the whole of it is in evidence.jsonl under the same id. */
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

export const checkReport = z.strictObject({
  id: z.string(),
  requirement: z.string(),
  title: z.string(),
  level,
  verdict: checkVerdict,
  /** False when the run ended before the check did. */
  executed: z.boolean(),
  reason: z.string(),
  expected: z.string(),
  actual: z.string(),
  blockedBy: z.string().nullable(),
  durationMs: z.number(),
  exchanges: z.array(exchangeSummary),
  /** The exchange of which reason and actual speak, then further evidence: ids of what stands in full under `evidence`. */
  decisive: z.array(z.string()),
});
export type CheckReport = z.infer<typeof checkReport>;

export const requirementReport = z.strictObject({
  id: z.string(),
  area: z.string(),
  /** Where its sentence stands in the contract. */
  place: z.string(),
  level,
  statement: z.string(),
  /** What the checks judge beyond the statement, and how it follows. */
  derived: z.array(derivation),
  verdict: requirementVerdict,
  /** Why it was not judged, where it was not. */
  reason: z.string(),
  checks: z.array(z.string()),
});
export type RequirementReport = z.infer<typeof requirementReport>;

const verdictCounts = z.record(checkVerdict, z.number().int().nonnegative());

export const report = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kit: headerRecord.shape.kit,
  run: z.strictObject({
    ...headerRecord.shape.run.shape,
    finishedAt: z.iso.datetime(),
    /** Null for a run that went to its end. */
    interrupted: z.string().nullable(),
  }),
  target: headerRecord.shape.target,
  catalogue: z.strictObject({ digest: z.string() }),
  verdict: runVerdict,
  /** The verdict with its scope and exceptions, as `conformant for profile full, except reset (not allowed)`. */
  headline: z.string(),
  /** What the verdict does not cover: checks that the target file does not allow, operations that it declares `not-offered`. */
  exceptions: z.array(z.string()),
  /** What else a reader of the verdict must know, as `production writes were allowed`. */
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
  requirements: z.array(requirementReport),
  checks: z.array(checkReport),
  excluded: headerRecord.shape.excluded,
  /** What the run before this one in the same folder judged and this one did not; null if there was none of this target. */
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
  /** What the run has made and removed again, by kind; a cancelled invoice counts as removed. */
  removed: z.array(removedRecord.omit({ kind: true })),
  /** Null if nothing was withdrawn. */
  withdrawn: withdrawnRecord.omit({ kind: true }).nullable(),
  /**
   * In full: of checks that neither passed nor were not applicable, what decided, and up to eight megabytes of the eight exchanges that came
   * last. All others stand in evidence.jsonl.
   */
  evidence: z.array(exchangeRecord.omit({ kind: true })),
});
export type Report = z.infer<typeof report>;
