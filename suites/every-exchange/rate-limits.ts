import {
  type ApiRequest,
  type ApiResponse,
  certainRateLimitWaitMs,
  describeResponse,
  headerValue,
  isExpiredReset,
} from '../../helpers/rules/response-parts.ts';
import {
  anyResponse,
  type ExchangeRule,
  isError,
  type Ruling,
  ruling,
  statelessRule,
} from '../../helpers/rules/rule-vocabulary.ts';

const HAS_TIME = /\d/;

const rateLimitResetRule = statelessRule(
  'RATE-01.reset-header',
  isError,
  (response) => {
    if (response.status !== 429) return null;
    const value = headerValue(response, 'x-ratelimit-reset');
    const date = headerValue(response, 'date');
    const over = isExpiredReset(value, date, performance.timeOrigin + response.sentAt);
    // The contract does not specify the format of the time, but every format has a digit.
    return ruling(value !== undefined && HAS_TIME.test(value) && !over, () => ({
      reason: `the 429 response to ${response.requestLine} ${over ? 'names a time in the past' : 'does not say when to retry'}`,
      expected:
        'a header X-RateLimit-Reset with a future time (Status codes: retry after the time given in X-RateLimit-Reset)',
      actual:
        value === undefined
          ? `${describeResponse(response)}; headers: ${response.headers.map(([name]) => name).join(', ')}`
          : `${describeResponse(response)}; X-RateLimit-Reset: ${JSON.stringify(value)}${over ? `, a time in the past (Date: ${date ?? 'absent'})` : ''}`,
    }));
  },
  'not-applicable',
);

/** This many reset times in a row, after none of which the server accepts a request of the actor. */
const MAX_WAITS = 4;
/** The same for reads or writes alone, while the others are accepted: they may share a small quota. */
const MAX_WAITS_OF_KIND = 8;
/** Other clients, or a second quota with a window of a minute, may use up several short windows in a row. */
const MIN_REJECTED_MS = 60_000;
/** Covers whole seconds in the reset time, and the time that the response took. */
const RESET_TOLERANCE_MS = 2000;

interface LimitedRequests {
  /** When the first request of the row was sent, by `performance.now()`. */
  since: number;
  /** When all reset times of the row are over; infinite if one of them cannot be read. */
  readyAt: number;
  waits: number;
}

/** The actor, and its reads or writes, which may have quotas of their own. */
function limitsOf({ actorLabel, method }: ApiRequest): [name: string, maxWaits: number][] {
  return [
    [actorLabel, MAX_WAITS],
    [`${actorLabel}, ${method === 'GET' ? 'reads' : 'writes'}`, MAX_WAITS_OF_KIND],
  ];
}

function readyAt(response: ApiResponse): number {
  const waitMs = certainRateLimitWaitMs(headerValue(response, 'x-ratelimit-reset'), headerValue(response, 'date'));
  return waitMs === null ? Number.POSITIVE_INFINITY : response.sentAt + waitMs + RESET_TOLERANCE_MS;
}

/** The client waits for each reset time, so the requests after it show whether the wait helps. */
const resetReachedRule: ExchangeRule = {
  id: 'RATE-04.reset-reached',
  whenNeverApplicable: 'not-applicable',
  appliesTo: anyResponse,
  start: ({ roundingMs }) => {
    const limited = new Map<string, LimitedRequests>();
    const observe = (name: string, response: ApiResponse): LimitedRequests => {
      const before = limited.get(name);
      // Later responses to requests of the same moment do not begin another wait.
      const isAfterReset = before !== undefined && response.sentAt >= before.readyAt + roundingMs;
      const after = {
        since: before?.since ?? response.sentAt,
        readyAt: Math.max(before?.readyAt ?? Number.NEGATIVE_INFINITY, readyAt(response)),
        waits: (before?.waits ?? 0) + (isAfterReset ? 1 : 0),
      };
      limited.set(name, after);
      return after;
    };
    return (response): Ruling => {
      const limits = limitsOf(response.request);
      if (response.status !== 429) {
        if (limited.size > 0) for (const [name] of limits) limited.delete(name);
        return null;
      }
      const rows = limits.map(([name, maxWaits]) => ({ name, maxWaits, ...observe(name, response) }));
      const isLong = ({ since }: LimitedRequests) => response.sentAt - since >= MIN_REJECTED_MS + roundingMs;
      const broken = rows.find((row) => row.waits >= row.maxWaits && isLong(row));
      return ruling(broken === undefined, () => ({
        reason: `for a minute and ${broken?.waits} times in a row, the server returned 429 to the requests of ${broken?.name} after the time in X-RateLimit-Reset, and accepted none in between; the last one is ${response.requestLine}`,
        expected:
          'a response other than 429 after the time in X-RateLimit-Reset (Status codes: retry after the time given in X-RateLimit-Reset)',
        actual: `${describeResponse(response)}; X-RateLimit-Reset: ${JSON.stringify(headerValue(response, 'x-ratelimit-reset') ?? 'absent')}`,
      }));
    };
  },
};

/** Exchange rules for rate limits. */
export const rateLimitRules: readonly ExchangeRule[] = [rateLimitResetRule, resetReachedRule];
