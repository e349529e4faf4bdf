import { z } from 'zod';
import { requirement } from '../catalogue/requirement.ts';
import { certification } from '../certification/certification.ts';
import { checkVerdict } from '../verdicts.ts';
import { knownFailure } from './baseline.ts';
import { customArea } from './custom-area.ts';
import { expectation } from './expectation.ts';

/** Version of the form of journal and report. */
export const SCHEMA_VERSION = 1;

const isoTime = z.iso.datetime();

export const implementation = z.strictObject({
  vendor: z.string().optional().describe('Who makes the implementation.'),
  product: z.string().optional().describe('Name of the implementation.'),
  version: z.string().optional().describe('Version of the implementation.'),
});

export const effectiveLimits = z.strictObject({
  concurrency: z.number().int().positive().describe('Maximum number of concurrent requests.'),
  requestsPerSecond: z
    .union([z.literal('none'), z.number().positive()])
    .describe('Maximum rate in requests per second; `none`: no limit.'),
  requestsPerMinute: z
    .union([z.literal('none'), z.number().positive()])
    .describe('Quota of the server in requests per minute, which the run stays below; `none`: no quota.'),
  requestTimeoutMs: z.number().int().describe('Milliseconds from the first byte sent to the last byte received.'),
  settleWithinMs: z.number().int().describe('Milliseconds within which the effect of an accepted action must show.'),
  startWithinMs: z
    .number()
    .int()
    .describe('Milliseconds within which a server that starts on demand responds to its first request.'),
  withdrawAtMost: z.string().describe('The largest total that the run may withdraw, with two decimals.'),
  maxRequests: z
    .union([z.literal('none'), z.number().int().positive()])
    .describe('The maximum number of requests of the run, for any purpose; `none`: no limit.'),
  deadlineMs: z
    .union([z.literal('none'), z.number().int().positive()])
    .describe('Milliseconds after which the run sends no new requests; `none`: no limit.'),
});
export type EffectiveLimits = z.infer<typeof effectiveLimits>;

export const shard = z.strictObject({
  index: z.number().int().positive().describe('Number of the shard, from 1.'),
  of: z.number().int().positive().describe('Number of shards.'),
});
export type Shard = z.infer<typeof shard>;

/** The previous run in the same folder, against the same target. */
export const previousRun = z.strictObject({
  id: z.string(),
  startedAt: isoTime,
  judged: z.array(z.strictObject({ check: z.string(), verdict: z.enum(['pass', 'warn', 'fail']) })),
});
export type PreviousRun = z.infer<typeof previousRun>;

/** What decides the exit code, if not the verdict alone. */
export const gateSettings = z.strictObject({
  failOn: z
    .enum(['any', 'new'])
    .describe('`any`: each failure that is not in the baseline fails the gate. `new`: only if it is new.'),
  baseline: z.string().nullable().describe('The file of the known failures; null without one.'),
  knownFailures: z.array(knownFailure),
});
export type GateSettings = z.infer<typeof gateSettings>;

export const headerRecord = z.strictObject({
  kind: z.literal('header'),
  schemaVersion: z.literal(SCHEMA_VERSION),
  kit: z
    .strictObject({
      name: z.string().describe('Name of the package of the kit.'),
      version: z.string().describe('Version of the package of the kit.'),
    })
    .describe('The kit that judged the target.'),
  run: z.strictObject({
    id: z.string().describe('Id of the run, a UUID.'),
    startedAt: isoTime.describe('Start of the run: ISO 8601, UTC.'),
    seed: z.number().int().describe('Seed of the generated data; the same seed generates the same data.'),
    profile: z.string().describe('Name of the profile, such as `core`.'),
    filtered: z.array(z.string()).describe('The `--only` patterns; empty when the whole profile ran.'),
    budget: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('The number of requests for which the checks were chosen (`--budget`); absent without it.'),
    shard: shard.optional().describe('The part of the checks that this run judges; absent if it judges all of them.'),
    shards: z
      .array(z.strictObject({ id: z.string().describe('Id of the run.'), ...shard.shape }))
      .optional()
      .describe('The runs that `conformance merge` has merged; absent in any other run.'),
    strict: z.boolean().describe('Whether a breach of an implied requirement is a failure (`--strict`).'),
    limits: effectiveLimits
      .optional()
      .describe('All limits of the run; absent in journals of versions that did not record them.'),
  }),
  target: z
    .strictObject({
      name: z.string().describe('Name of the server in the target file; the host of `baseUrl` if the file gives none.'),
      baseUrl: z.string().describe('The URL to which the paths of operations are appended.'),
      implementation: implementation
        .optional()
        .describe('The implementation that the target file names; absent if it names none.'),
      allow: z
        .strictObject({
          reset: z.boolean().describe('Whether the run may reset the sandbox.'),
          rateLimitProbe: z
            .boolean()
            .describe('Whether the run may send requests at full speed to trigger the rate limit.'),
          productionWrites: z.boolean().describe('Whether the run may change data in production.'),
        })
        .describe('The exceptional permissions of the target file.'),
      digest: z
        .string()
        .describe(
          'SHA-256 of its actors without keys and secrets, counterparties and operations; equal in all shards of a run.',
        ),
      notOffered: z.array(z.string()).describe('Operations that the target file declares `not-offered`.'),
      simulatesWithdrawals: z
        .boolean()
        .describe('Whether the target file declares that withdrawals do not change the balance.'),
      secretVariables: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'The variables that the target file names for keys, secrets and headers, such as `{ "seller.key": "SELLER_KEY" }`.',
        ),
    })
    .describe('The server that was judged, as the target file and the options describe it.'),
  catalogue: z.strictObject({ digest: z.string(), requirements: z.array(requirement) }),
  certification: certification.optional().describe('Absent in a run that does not certify.'),
  custom: z.array(customArea).optional().describe('The custom checks of the run; absent without `--custom-checks`.'),
  gate: gateSettings.optional().describe('Absent if the verdict alone decides the exit code.'),
  previous: previousRun.optional().describe('Absent if the folder contained no run of this target.'),
  selected: z.array(z.string()).describe('Ids of the checks that this run selected.'),
  excluded: z
    .array(
      z.strictObject({
        check: z.string().describe('Id of the check.'),
        allowance: z.string().describe('The field of `allow` that would include the check.'),
        reason: z.string().describe('Why the check is left out, in one line.'),
      }),
    )
    .describe('Checks of the selection that are left out, because the target file does not allow them.'),
});
export type HeaderRecord = z.infer<typeof headerRecord>;

const headers = z
  .array(z.tuple([z.string(), z.string()]))
  .describe('The headers, each as a pair of name and value; secrets are masked.');

/** One attempt of one request. Secrets are masked before the record is written. */
export const exchangeRecord = z.strictObject({
  kind: z.literal('exchange'),
  id: z.string().describe('Id of the exchange, unique in the run.'),
  check: z
    .string()
    .nullable()
    .describe('Id of the check that sent the request; null for the preflight, shared set-up and clean-up.'),
  label: z.string().describe('The actor and the operation, such as `seller: create`.'),
  actor: z.string().describe('The actor, or its changed credentials, such as `seller with a wrong secret`.'),
  operation: z.string().describe('The operation, such as `create`.'),
  credentials: z
    .string()
    .nullable()
    .describe('The actor whose valid credentials the request carries; null if they are not valid.'),
  outsideContract: z
    .literal(true)
    .optional()
    .describe('The path or the body is outside the contract, so the exchange rules do not apply.'),
  attempt: z
    .number()
    .int()
    .positive()
    .describe(
      '1 for the first attempt; later attempts repeat the request after a transport failure or a transient status.',
    ),
  at: isoTime.describe('When the request was sent: ISO 8601, UTC.'),
  durationMs: z.number().describe('Milliseconds from sending the request to the complete response or the failure.'),
  request: z
    .strictObject({
      method: z.string().describe('HTTP method.'),
      url: z.string().describe('The absolute URL.'),
      headers,
      body: z.string().nullable().describe('The body as text, cut at the evidence limit; null if there is none.'),
    })
    .describe('What the kit sent.'),
  response: z
    .strictObject({
      status: z.number().int().describe('HTTP status.'),
      headers,
      body: z.string().describe('The body as text, cut at the evidence limit; empty if there is none.'),
      bytes: z.number().int().describe('Length of the received body, in bytes.'),
      truncated: z.boolean().describe('Whether `body` is shorter than the body that the server sent.'),
    })
    .nullable()
    .describe('What the server returned; null if there was no response.'),
  failure: z
    .strictObject({
      kind: z.string().describe('Kind of the failure, such as `timeout`, `refused`, `dns`, `tls` or `closed`.'),
      message: z.string().describe('What happened, in one line.'),
    })
    .nullable()
    .describe('Why there is no response; null if there is one.'),
});
export type ExchangeRecord = z.infer<typeof exchangeRecord>;

/** An exchange without its headers and bodies, which are nine tenths of a journal. */
export type SlimExchange = Omit<ExchangeRecord, 'request' | 'response'> & {
  request: Pick<ExchangeRecord['request'], 'method' | 'url'>;
  response: Pick<NonNullable<ExchangeRecord['response']>, 'status'> | null;
};

export const observationRecord = z.strictObject({
  kind: z.literal('observation'),
  id: z.string().describe('Id of the observation, such as `initial-state`.'),
  question: z.string().describe('What the contract leaves open, such as `Whether the balance is a GET`.'),
  value: z.json().describe('What the server did; an array if its behaviour differed within the run.'),
});
export type ObservationRecord = z.infer<typeof observationRecord>;

export const checkRecord = z.strictObject({
  kind: z.literal('check'),
  id: z.string(),
  verdict: checkVerdict,
  /** The reason for the verdict, in one line. Empty for a pass. */
  reason: z.string(),
  /** For fail and warn: the expected and the actual result. */
  expected: z.string(),
  actual: z.string(),
  /** For blocked: the check that failed first, the field of the target file to correct, or the option that limits the requests. */
  blockedBy: z.string().nullable(),
  /** For not-applicable: other users of the sandbox changed what the check compares. */
  disturbed: z.literal(true).optional(),
  durationMs: z.number(),
  /** Ids of all exchanges of this check, in order. */
  exchanges: z.array(z.string()),
  /** What a script can test in the response of the first exchange of `decisive`; null if only the kit can judge it. */
  expectation: expectation.nullable(),
  /**
   * The exchange that reason and actual describe, then further evidence; empty if the verdict depends on no exchange.
   */
  decisive: z.array(z.string()),
});
export type CheckRecord = z.infer<typeof checkRecord>;

/** The result of a custom check, which the verdict of the run ignores. */
export const customCheckRecord = checkRecord.extend({ kind: z.literal('custom-check') });
export type CustomCheckRecord = z.infer<typeof customCheckRecord>;

export const leftoverRecord = z.strictObject({
  kind: z.literal('leftover'),
  what: z.string().describe('Kind and state of the item, such as `invoice APPROVED` or `withdrawal`.'),
  id: z.string().describe('Id of an invoice; amount and requestId of a withdrawal; id and URL of a subscription.'),
  reason: z.string().describe('Why the item is still on the server.'),
});
export type LeftoverRecord = z.infer<typeof leftoverRecord>;

/** How many items of one kind the run has created and removed; a cancelled invoice counts as removed. */
export const removedRecord = z.strictObject({
  kind: z.literal('removed'),
  what: z.string().describe('Kind and state of the items, such as `invoice DRAFT`.'),
  count: z.number().int().positive().describe('Number of items of this kind.'),
});
export type RemovedRecord = z.infer<typeof removedRecord>;

export const withdrawnRecord = z.strictObject({
  kind: z.literal('withdrawn'),
  sum: z.string().describe('The total that the run has withdrawn, with two decimals.'),
  runsLeft: z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .describe('For how many more such runs the balance lasts; null if the server shows no balance.'),
});
export type WithdrawnRecord = z.infer<typeof withdrawnRecord>;

export const footerRecord = z.strictObject({
  kind: z.literal('footer'),
  finishedAt: isoTime,
  /** The reason for an early end, in words; null if the run was completed. */
  interrupted: z.string().nullable(),
  /** The organization of each actor, as the run knew it. */
  organizations: z.record(z.string(), z.string()),
});
export type FooterRecord = z.infer<typeof footerRecord>;

/** One line of evidence.jsonl. The first is a header; one without a footer is an interrupted run. */
export const journalRecord = z.discriminatedUnion('kind', [
  headerRecord,
  exchangeRecord,
  observationRecord,
  checkRecord,
  customCheckRecord,
  leftoverRecord,
  removedRecord,
  withdrawnRecord,
  footerRecord,
]);
export type JournalRecord = z.infer<typeof journalRecord>;
/** A record, or only the outline of an exchange. */
export type SlimRecord = Exclude<JournalRecord, ExchangeRecord> | SlimExchange;
