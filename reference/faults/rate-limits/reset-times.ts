import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { IncomingRequest } from '../../service/call.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

type Headers = Record<string, string>;

const tooMany = (headers: Headers) => new RejectionError(429, 'RATE001', 'Too many requests', undefined, headers);
const epochSeconds = (fromNow: number) => String(Math.floor(Date.now() / 1000) + fromNow);

/** Limits every 150th request. `header` gets the number of 429 responses before this one. */
const limiting = (header: (request: IncomingRequest, before: number) => Headers): RuleChange =>
  overrideRules(() => {
    let count = 0;
    return {
      throttle: (_service, _key, request) => {
        count += 1;
        if (count % 150 === 0) throw tooMany(header(request, count / 150 - 1));
      },
    };
  });

/** Limits every matching request after the first ones, for ever. */
const limitingForEver = (
  from: number,
  isLimited: (request: IncomingRequest) => boolean,
  header: () => Headers,
): RuleChange =>
  overrideRules(() => {
    let count = 0;
    return {
      throttle: (_service, _key, request) => {
        count += 1;
        if (count > from && isLimited(request)) throw tooMany(header());
      },
    };
  });

const headerFault = (
  id: string,
  defect: string,
  value: (request: IncomingRequest, before: number) => string | null,
): Fault => ({
  id,
  requirement: 'RATE-01',
  defect,
  caughtBy: ['RATE-01.reset-header'],
  traffic: 'smoke',
  rules: limiting((request, before) => {
    const told = value(request, before);
    return told === null ? {} : { 'X-RateLimit-Reset': told };
  }),
});

const nextSecond = () => ({ 'X-RateLimit-Reset': epochSeconds(1) });

export const rateLimitsResetTimesFaults: readonly Fault[] = [
  headerFault('rate-reset-window-start', 'X-RateLimit-Reset is the time at which the window of a minute began.', () =>
    epochSeconds(-45),
  ),
  headerFault(
    'rate-reset-past-date',
    'X-RateLimit-Reset is the HTTP date of the first 429, which is never renewed.',
    () => new Date(Date.now() - 90_000).toUTCString(),
  ),
  headerFault(
    'rate-reset-local-time',
    'X-RateLimit-Reset is the local time of a server in New York, with the Z of UTC.',
    () => new Date(Date.now() - 5 * 3_600_000 + 1000).toISOString(),
  ),
  headerFault(
    'rate-reset-negative',
    'X-RateLimit-Reset is the -1 of a counter in Redis that never expires.',
    () => '-1',
  ),
  headerFault('rate-reset-not-a-number', 'X-RateLimit-Reset is NaN: the window has no configured length.', () => 'NaN'),
  headerFault('rate-reset-missing-on-writes', 'Only the limiter of reads sends the header.', ({ method }) =>
    method === 'GET' ? epochSeconds(1) : null,
  ),
  headerFault('rate-reset-first-only', 'Only the first 429 of a window has the header.', (_, before) =>
    before === 0 ? epochSeconds(1) : null,
  ),
  {
    id: 'rate-reset-never-comes',
    requirement: 'RATE-04',
    defect: 'Each rejected request extends the window, although the header names the next second.',
    caughtBy: ['RATE-04.reset-reached'],
    traffic: 'smoke',
    rules: limitingForEver(400, () => true, nextSecond),
  },
  {
    id: 'rate-writes-never-again',
    requirement: 'RATE-04',
    defect: 'The quota of writes is never renewed, although the header names the next second.',
    caughtBy: ['RATE-04.reset-reached'],
    traffic: 'smoke',
    rules: limitingForEver(400, ({ method }) => method !== 'GET', nextSecond),
  },
  {
    id: 'rate-reset-milliseconds-added',
    requirement: 'RATE-04',
    defect: 'The 300 seconds of the window are added as milliseconds, so the reset time is over at once.',
    caughtBy: ['RATE-04.reset-reached'],
    traffic: 'full',
    rules: overrideRules(() => {
      let count = 0;
      let until = 0;
      return {
        throttle: () => {
          count += 1;
          if (count % 500 === 0) until = Date.now() + 300_000;
          if (Date.now() < until) throw tooMany({ 'X-RateLimit-Reset': String(Date.now() + 300) });
        },
      };
    }),
  },
];
