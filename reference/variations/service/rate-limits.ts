import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import { RejectionError } from '../../service/rejection.ts';

const LIMITED_EVERY = 450;

/** Returns 429 for some requests, with the reset time in this form. */
const limiting = (header: () => string): RuleChange =>
  overrideRules(() => {
    let count = 0;
    return {
      throttle: () => {
        count += 1;
        if (count % LIMITED_EVERY !== 0) return;
        throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': header() });
      },
    };
  });

export const rateLimitVariations: readonly Variation[] = [
  {
    id: 'rate-limit-reset-epoch-seconds',
    openPoint: 'OP-109',
    choice: 'seconds of the epoch',
    rules: limiting(() => String(Math.ceil(Date.now() / 1000) + 1)),
  },
  {
    id: 'rate-limit-reset-epoch-milliseconds',
    openPoint: 'OP-109',
    choice: 'milliseconds of the epoch',
    rules: limiting(() => String(Date.now() + 300)),
  },
  {
    id: 'rate-limit-reset-date',
    openPoint: 'OP-109',
    choice: 'an HTTP date',
    rules: limiting(() => new Date(Date.now() + 1_000).toUTCString()),
  },
];
