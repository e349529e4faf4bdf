import { type ApiRequest, type ApiResponse, bodyMember } from '../model/messages.ts';
import { mayHaveArrived, type WireFailure } from '../transport/transport-failure.ts';
import { backoffMs } from './backoff.ts';

/** One attempt of a request, with its response or the reason why there is none. */
export interface Attempt {
  readonly request: ApiRequest;
  readonly response: ApiResponse | null;
  readonly failure: WireFailure | null;
}

/** What the client finds out before a retry. If it does not hold, the next row that matches decides. */
export type RetryCondition =
  /** Retries of this kind have helped in this run, or have not failed often. */
  | 'has-helped'
  /** Many other requests lost their connection in this run, and succeeded when they were repeated. */
  | 'connections-unreliable'
  /** The rate limiter lets the kit wait. */
  | 'rate-limit-ends'
  /** Other requests get transient responses, too, until the service recovers. */
  | 'service-recovers';

/** One row of the retry table. The first row that matches an attempt, has retries left and meets its condition decides. */
export interface RetryRule {
  readonly id: RetryRuleId;
  /** For docs/real-networks.md. */
  readonly result: string;
  readonly matches: (attempt: Attempt) => boolean;
  /** The maximum number of retries of one request. */
  readonly times: number;
  /** The wait before the nth retry, from 1, in milliseconds. */
  readonly waitMs?: (retry: number) => number;
  /** The waits, for docs/real-networks.md. */
  readonly waits: string;
  readonly condition?: RetryCondition;
  /** Whether a connection may be at fault, so that every second retry of these rows opens a new one. */
  readonly changesConnection?: true;
  /** Whether the server may have reached a limit, so that the kit sends fewer requests at once. */
  readonly reducesConcurrency?: true;
  /** The row that has all its retries again. */
  readonly renews?: RetryRuleId;
  /** Whether the retry is sent while no other request is in flight. */
  readonly isExclusive?: true;
  /** Whether the exchange rules judge a response that is retried. */
  readonly isObserved?: true;
  /** Whether the server may carry out the request twice. */
  readonly mayDuplicate: (attempt: Attempt) => boolean;
}

export type RetryRuleId =
  | 'timeout'
  | 'closed'
  | 'closed-often'
  | 'refused'
  | 'other-failure'
  | 'request-timeout'
  | 'internal-error'
  | 'rate-limit'
  | 'transient'
  | 'outage'
  | 'load';

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
/** The contract also calls a 500 transient. A persistent 500 is the final response, so these waits are short. */
const WAITS_AFTER_500_MS = [250, 1000];

/** Failures with a row of their own. */
const OWN_ROW: ReadonlySet<WireFailure['kind']> = new Set(['timeout', 'closed', 'refused']);

const yes = () => true;
const no = () => false;
const failed = (kind: WireFailure['kind']) => (attempt: Attempt) => attempt.failure?.kind === kind;
const failedUnexpectedly = (kind: WireFailure['kind']) => (attempt: Attempt) =>
  failed(kind)(attempt) && !attempt.request.mayEndWithoutResponse;
const hasStatus = (status: number) => (attempt: Attempt) => attempt.response?.status === status;

/** All retries of the kit, printed in docs/real-networks.md. */
export const retryRules: readonly RetryRule[] = [
  {
    id: 'timeout',
    result: 'timeout',
    matches: failedUnexpectedly('timeout'),
    times: 1,
    waits: 'until the server responds to another request',
    changesConnection: true,
    mayDuplicate: yes,
  },
  {
    id: 'closed',
    result: 'connection closed',
    matches: failedUnexpectedly('closed'),
    times: 4,
    waits: 'until the server responds to another request',
    reducesConcurrency: true,
    changesConnection: true,
    mayDuplicate: yes,
  },
  {
    // A load balancer with a defective instance closes connections by chance; a server that rejects this request closes all of them.
    id: 'closed-often',
    result: 'connection still closed, and closed for many other requests that succeeded later',
    matches: failedUnexpectedly('closed'),
    times: 8,
    waits: 'until the server responds to another request',
    condition: 'connections-unreliable',
    changesConnection: true,
    mayDuplicate: yes,
  },
  {
    // A failure without a connection is an outage, which may occur more often.
    id: 'refused',
    result: 'connection refused',
    matches: failed('refused'),
    times: 8,
    waits: 'until the server responds to another request',
    changesConnection: true,
    mayDuplicate: no,
  },
  {
    id: 'other-failure',
    result: 'another transport failure',
    matches: ({ failure }) => failure !== null && !OWN_ROW.has(failure.kind),
    times: 2,
    waits: 'until the server responds to another request',
    changesConnection: true,
    mayDuplicate: ({ failure }) => failure !== null && mayHaveArrived(failure),
  },
  {
    // Sent when a server closes an idle connection. The server never read the request (RFC 9110, 15.5.9).
    id: 'request-timeout',
    result: '408',
    matches: hasStatus(408),
    times: 2,
    waits: 'not at all',
    changesConnection: true,
    mayDuplicate: no,
  },
  {
    id: 'internal-error',
    result: '500',
    matches: hasStatus(500),
    times: WAITS_AFTER_500_MS.length,
    waitMs: (retry) => WAITS_AFTER_500_MS[retry - 1] ?? 0,
    waits: '250 ms, then 1 second; a persistent 500 is judged',
    condition: 'has-helped',
    // The client sets the doubt if the final status is another one.
    mayDuplicate: no,
  },
  {
    id: 'rate-limit',
    result: '429',
    matches: ({ request, response }) => response?.status === 429 && !request.expects429,
    times: Number.POSITIVE_INFINITY,
    waits: 'as long as `X-RateLimit-Reset` says (see [Rate limits](#rate-limits))',
    condition: 'rate-limit-ends',
    isObserved: true,
    mayDuplicate: no,
  },
  {
    id: 'transient',
    result: '502, 503 or 504',
    matches: isTransient,
    times: 3,
    waitMs: (retry) => backoffMs(retry - 1),
    waits: 'the delays that the contract recommends',
    isObserved: true,
    mayDuplicate: yes,
  },
  {
    id: 'outage',
    result: 'still 502, 503 or 504, and the list is unavailable, too',
    matches: isTransient,
    times: 2,
    waits: 'up to 10 seconds, until the list works; then the row above applies again',
    condition: 'service-recovers',
    renews: 'transient',
    isObserved: true,
    mayDuplicate: yes,
  },
  {
    // A server may process a request alone that it rejects under load.
    id: 'load',
    result: 'still 502, 503 or 504, although the list works',
    matches: isTransient,
    times: 1,
    waits: 'until no other request is in flight',
    condition: 'has-helped',
    isExclusive: true,
    isObserved: true,
    mayDuplicate: yes,
  },
];

export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.has(status);
}

/** Production that is not deployed is a permanent state. */
export function isTransient({ request, response }: Attempt): boolean {
  if (response === null || !isTransientStatus(response.status)) return false;
  return bodyMember(response, 'code') !== 'GW_ENVIRONMENT_UNAVAILABLE' || !isProductionRequest(request);
}

function isProductionRequest({ credentials, headers = [] }: ApiRequest): boolean {
  return [...credentials, ...headers].some(([, value]) => value === 'PRODUCTION' || value.startsWith('svc_prod_'));
}
