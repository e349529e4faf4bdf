import { z } from 'zod';

const moment = z.strictObject({ id: z.string(), startedAt: z.iso.datetime() });
const verdictText = z.string();
/** `warn`: the check is of level implied, and does not fail the run. */
const redVerdict = z.enum(['fail', 'warn']);

/** What changed between the last run of a history and a later one. */
export const changes = z.strictObject({
  schemaVersion: z.literal(1),
  /** The run before; null for the first run of a history. */
  from: moment.nullable(),
  to: moment,
  /**
   * What kept the run from a verdict: the number of required checks that could not be judged, and the reason of most of them,
   * or that the target was unavailable. Null if
   * every required check was judged, or is blocked by a failure.
   */
  undecided: z.strictObject({ checks: z.number().int(), reason: z.string() }).nullable(),
  /** Whether the kit changed: its version, or the text of a check. */
  kit: z.strictObject({
    before: z.string(),
    now: z.string(),
    newChecks: z.array(z.string()),
    changedChecks: z.array(z.string()),
    retiredChecks: z.array(z.string()),
  }),
  /** `implementation.version` of the target file; null if the file names none. */
  server: z.strictObject({ before: z.string().nullable(), now: z.string().nullable() }),
  /**
   * Checks that fail or warn now and did not when they were last judged. `by`: `kit` for a check that is new or has changed,
   * `first-judged` for one that no earlier run could judge, otherwise `server`.
   */
  newFailures: z.array(
    z.strictObject({ check: z.string(), verdict: redVerdict, by: z.enum(['server', 'kit', 'first-judged']) }),
  ),
  /** Checks that failed or warned when they were last judged and pass now. */
  fixed: z.array(z.string()),
  /** Checks that go on failing, each with the start of the first run of the series. */
  stillFailing: z.array(z.strictObject({ check: z.string(), verdict: redVerdict, since: z.iso.datetime() })),
  /** Checks whose verdict changed several times although neither the kit nor the version of the server changed. */
  flaky: z.array(z.strictObject({ check: z.string(), changes: z.number().int(), runs: z.number().int() })),
  /** Checks that the run before judged and this one could not judge. */
  lost: z.array(z.strictObject({ check: z.string(), before: verdictText, now: verdictText })),
  /** Unspecified behaviour with values that none of the last runs of the same scope has seen: `before` has all of theirs, `now` only the new ones. */
  drift: z.array(z.strictObject({ id: z.string(), before: z.array(z.json()), now: z.array(z.json()) })),
  /** Latencies beyond the spread of the earlier runs. */
  latency: z.array(
    z.strictObject({
      operation: z.string(),
      quantile: z.enum(['median', 'p95']),
      usualMs: z.number(),
      nowMs: z.number(),
    }),
  ),
});
export type Changes = z.infer<typeof changes>;
