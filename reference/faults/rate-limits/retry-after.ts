import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

/** Limits one request to the invoices, the fortieth of the run or the next one to this path: the contract says nothing about other paths. */
function limiting(headers: Record<string, string>): RuleChange {
  return overrideRules(() => {
    let count = 0;
    let hasLimited = false;
    return {
      throttle: (_service, _key, { path }) => {
        count += 1;
        if (count < 40 || hasLimited || path !== '/api/v1/invoices') return;
        hasLimited = true;
        throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, headers);
      },
    };
  });
}

export const rateLimitsRetryAfterFaults: readonly Fault[] = [
  {
    id: 'rate-no-header',
    requirement: 'RATE-01',
    defect: 'A 429 does not say when to retry.',
    caughtBy: ['RATE-01.reset-header'],
    rules: limiting({}),
  },
  {
    id: 'rate-reset-in-words',
    requirement: 'RATE-01',
    defect: 'X-RateLimit-Reset contains a word instead of a time.',
    caughtBy: ['RATE-01.reset-header'],
    rules: limiting({ 'X-RateLimit-Reset': 'soon' }),
  },
  {
    id: 'rate-retry-after',
    requirement: 'RATE-01',
    defect: 'A 429 has Retry-After instead of X-RateLimit-Reset.',
    caughtBy: ['RATE-01.reset-header'],
    rules: limiting({ 'Retry-After': '1' }),
  },
  {
    id: 'rate-reset-in-past',
    requirement: 'RATE-01',
    defect: 'X-RateLimit-Reset is the time at which the window began, an hour ago.',
    caughtBy: ['RATE-01.reset-header'],
    rules: limiting({ 'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) - 3600) }),
  },
  {
    id: 'rate-reset-too-early',
    requirement: 'RATE-04',
    defect: 'X-RateLimit-Reset is the next second, for any window.',
    caughtBy: ['RATE-04.retry-accepted'],
    judgedByNamedChecksOnly: true,
    target: (target) => ({ ...target, allow: { ...target.allow, rateLimitProbe: true } }),
    rules: overrideRules(() => {
      let count = 0;
      return {
        throttle: () => {
          count += 1;
          const soon = String(Math.floor(Date.now() / 1000));
          if (count > 100)
            throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': soon });
        },
      };
    }),
  },
];
