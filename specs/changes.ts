import { z } from 'zod';

const moment = z.strictObject({ id: z.string(), startedAt: z.iso.datetime() });
const verdictText = z.string();

/** What changed between the last run of a history and a later one. */
export const changes = z.strictObject({
  schemaVersion: z.literal(1),
  /** The run before; null for the first run of a history. */
  from: moment.nullable(),
  to: moment,
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
  /** Checks that fail or warn now and did not when they were last judged. `by`: what changed with them. */
  newFailures: z.array(z.strictObject({ check: z.string(), by: z.enum(['server', 'kit', 'first-judged']) })),
  /** Checks that failed or warned when they were last judged and pass now. */
  fixed: z.array(z.string()),
  /** Checks that go on failing, each with the start of the first run of the series. */
  stillFailing: z.array(z.strictObject({ check: z.string(), since: z.iso.datetime() })),
  /** Checks whose verdict changed several times although neither the kit nor the version of the server changed. */
  flaky: z.array(z.strictObject({ check: z.string(), changes: z.number().int(), runs: z.number().int() })),
  /** Checks that the run before judged and this one could not judge. */
  lost: z.array(z.strictObject({ check: z.string(), before: verdictText, now: verdictText })),
  /** Unspecified behaviour that no earlier run has seen. */
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
