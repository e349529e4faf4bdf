import { z } from 'zod';
import { requirement } from './catalogue/requirement.ts';
import { expectation } from './expectation.ts';
import { checkVerdict } from './verdicts.ts';

/** Version of the form of journal and report. */
export const SCHEMA_VERSION = 1;

const isoTime = z.iso.datetime();

export const implementation = z.strictObject({
  vendor: z.string().optional(),
  product: z.string().optional(),
  version: z.string().optional(),
});

/** All limits of the run. */
export const effectiveLimits = z.strictObject({
  concurrency: z.number().int().positive(),
  requestsPerSecond: z.union([z.literal('none'), z.number().positive()]),
  requestsPerMinute: z.union([z.literal('none'), z.number().positive()]),
  requestTimeoutMs: z.number().int(),
  settleWithinMs: z.number().int(),
  startWithinMs: z.number().int(),
  withdrawAtMost: z.string(),
  maxRequests: z.union([z.literal('none'), z.number().int().positive()]),
  deadlineMs: z.union([z.literal('none'), z.number().int().positive()]),
});
export type EffectiveLimits = z.infer<typeof effectiveLimits>;

/** The previous run in the same folder, against the same target. */
export const previousRun = z.strictObject({
  id: z.string(),
  startedAt: isoTime,
  judged: z.array(z.strictObject({ check: z.string(), verdict: z.enum(['pass', 'warn', 'fail']) })),
});
export type PreviousRun = z.infer<typeof previousRun>;

export const headerRecord = z.strictObject({
  kind: z.literal('header'),
  schemaVersion: z.literal(SCHEMA_VERSION),
  kit: z.strictObject({ name: z.string(), version: z.string() }),
  run: z.strictObject({
    id: z.string(),
    startedAt: isoTime,
    seed: z.number().int(),
    profile: z.string(),
    /** The `--only` patterns; empty when the whole profile ran. */
    filtered: z.array(z.string()),
    strict: z.boolean(),
    /** Absent in journals of versions that did not record it. */
    limits: effectiveLimits.optional(),
  }),
  target: z.strictObject({
    name: z.string(),
    baseUrl: z.string(),
    implementation: implementation.optional(),
    /** The exceptional permissions of the target file. */
    allow: z.strictObject({ reset: z.boolean(), rateLimitProbe: z.boolean(), productionWrites: z.boolean() }),
    /** Operations that the target file declares `not-offered`. */
    notOffered: z.array(z.string()),
    /** Whether the target file declares that withdrawals do not change the balance. */
    simulatesWithdrawals: z.boolean(),
    /** The variables that the target file names for keys, secrets and headers: `{ 'seller.key': 'SELLER_KEY' }`. */
    secretVariables: z.record(z.string(), z.string()).optional(),
  }),
  catalogue: z.strictObject({ digest: z.string(), requirements: z.array(requirement) }),
  /** Absent if the folder contained no run of this target. */
  previous: previousRun.optional(),
  /** Ids of the checks that this run selected. */
  selected: z.array(z.string()),
  /** Checks of the profile that are left out, because the target file does not allow them. */
  excluded: z.array(
    z.strictObject({
      check: z.string(),
      /** The field of `allow` that would include it. */
      allowance: z.string(),
      reason: z.string(),
    }),
  ),
});
export type HeaderRecord = z.infer<typeof headerRecord>;

const headers = z.array(z.tuple([z.string(), z.string()]));

/** One attempt of one request. Secrets are masked before the record is written. */
export const exchangeRecord = z.strictObject({
  kind: z.literal('exchange'),
  id: z.string(),
  /** The check that sent the request; null for the preflight, shared set-up and clean-up. */
  check: z.string().nullable(),
  /** The actor and the operation, such as `seller: create invoice`. */
  label: z.string(),
  actor: z.string(),
  /** 1 for the first attempt; later attempts repeat the same request after a transient response. */
  attempt: z.number().int().positive(),
  at: isoTime,
  durationMs: z.number(),
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body: z.string().nullable() }),
  response: z
    .strictObject({
      status: z.number().int(),
      headers,
      /** Truncated at the evidence limit; `bytes` is the received length. */
      body: z.string(),
      bytes: z.number().int(),
      truncated: z.boolean(),
    })
    .nullable(),
  /** Why there is no response. */
  failure: z.strictObject({ kind: z.string(), message: z.string() }).nullable(),
});
export type ExchangeRecord = z.infer<typeof exchangeRecord>;

/** An exchange without its headers and bodies, which are nine tenths of a journal. */
export type SlimExchange = Omit<ExchangeRecord, 'request' | 'response'> & {
  request: Pick<ExchangeRecord['request'], 'method' | 'url'>;
  response: Pick<NonNullable<ExchangeRecord['response']>, 'status'> | null;
};

export const observationRecord = z.strictObject({
  kind: z.literal('observation'),
  id: z.string(),
  question: z.string(),
  value: z.json(),
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
  /** For blocked: the check that failed first, or the missing capability of the target file. */
  blockedBy: z.string().nullable(),
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

export const leftoverRecord = z.strictObject({
  kind: z.literal('leftover'),
  what: z.string(),
  id: z.string(),
  reason: z.string(),
});
export type LeftoverRecord = z.infer<typeof leftoverRecord>;

/** How many items of one kind the run has created and removed; a cancelled invoice counts as removed. */
export const removedRecord = z.strictObject({
  kind: z.literal('removed'),
  what: z.string(),
  count: z.number().int().positive(),
});
export type RemovedRecord = z.infer<typeof removedRecord>;

/**
 * The total that the run has withdrawn, and for how many more such runs the balance lasts; null if the server shows no
 * balance.
 */
export const withdrawnRecord = z.strictObject({
  kind: z.literal('withdrawn'),
  sum: z.string(),
  runsLeft: z.number().int().nonnegative().nullable(),
});
export type WithdrawnRecord = z.infer<typeof withdrawnRecord>;

export const footerRecord = z.strictObject({
  kind: z.literal('footer'),
  finishedAt: isoTime,
  /** The reason for an early end, in words; null if the run was completed. */
  interrupted: z.string().nullable(),
});
export type FooterRecord = z.infer<typeof footerRecord>;

/** One line of evidence.jsonl. The first is a header; one without a footer is an interrupted run. */
export const journalRecord = z.discriminatedUnion('kind', [
  headerRecord,
  exchangeRecord,
  observationRecord,
  checkRecord,
  leftoverRecord,
  removedRecord,
  withdrawnRecord,
  footerRecord,
]);
export type JournalRecord = z.infer<typeof journalRecord>;
/** A record, or only the outline of an exchange. */
export type SlimRecord = Exclude<JournalRecord, ExchangeRecord> | SlimExchange;
