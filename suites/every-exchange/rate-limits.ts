import {
  type ApiRequest,
  type ApiResponse,
  describeResponse,
  headerValue,
  isExpiredReset,
  rateLimitWaitMs,
  serverTimeMs,
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
    const over = isExpiredReset(value, date);
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

interface LimitedRequests {
  /** When the next request is allowed, by `performance.now()`; null if the header cannot be read. */
  readyAt: number | null;
  waits: number;
}

/** The actor, and its reads or writes, which may have quotas of their own. */
function limitsOf({ actorLabel, method }: ApiRequest): [name: string, maxWaits: number][] {
  return [
    [actorLabel, MAX_WAITS],
    [`${actorLabel}, ${method === 'GET' ? 'reads' : 'writes'}`, MAX_WAITS_OF_KIND],
  ];
}

function readyAt(response: ApiResponse): number | null {
  const date = serverTimeMs(headerValue(response, 'date'));
  const waitMs = rateLimitWaitMs(headerValue(response, 'x-ratelimit-reset'), date);
  return waitMs === null ? null : response.sentAt + waitMs;
}

/** The client waits for each reset time, so the requests after it show whether the wait helps. */
const resetReachedRule: ExchangeRule = {
  id: 'RATE-04.reset-reached',
  whenNeverApplicable: 'not-applicable',
  appliesTo: anyResponse,
  start: () => {
    const limited = new Map<string, LimitedRequests>();
    const waitsAfter = (name: string, response: ApiResponse): number => {
      const before = limited.get(name);
      const isAfterReset = before?.readyAt != null && response.sentAt >= before.readyAt;
      const waits = (before?.waits ?? 0) + (isAfterReset ? 1 : 0);
      // Later responses to requests of the same moment do not begin another wait.
      if (before === undefined || isAfterReset) limited.set(name, { readyAt: readyAt(response), waits });
      return waits;
    };
    return (response): Ruling => {
      const limits = limitsOf(response.request);
      if (response.status !== 429) {
        if (limited.size > 0) for (const [name] of limits) limited.delete(name);
        return null;
      }
      const broken = limits.map(([name, most]) => waitsAfter(name, response) >= most).indexOf(true);
      const [name, waits] = limits[Math.max(broken, 0)] ?? ['', 0];
      return ruling(broken < 0, () => ({
        reason: `${waits} times in a row, the server returned 429 to the requests of ${name} after the time in X-RateLimit-Reset, and accepted none in between; the last one is ${response.requestLine}`,
        expected:
          'a response other than 429 after the time in X-RateLimit-Reset (Status codes: retry after the time given in X-RateLimit-Reset)',
        actual: `${describeResponse(response)}; X-RateLimit-Reset: ${JSON.stringify(headerValue(response, 'x-ratelimit-reset') ?? 'absent')}`,
      }));
    };
  },
};

/** Exchange rules for rate limits. */
export const rateLimitRules: readonly ExchangeRule[] = [rateLimitResetRule, resetReachedRule];
