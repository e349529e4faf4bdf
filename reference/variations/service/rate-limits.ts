import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import { RejectionError } from '../../service/rejection.ts';

const LIMITED_EVERY = 450;
const WINDOW_MS = 200;
const LONG_WINDOW_MS = 9_000;

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
  {
    id: 'rate-limit-reset-without-zone',
    openPoint: 'OP-109',
    choice: 'a UTC time without a zone',
    rules: limiting(() => new Date(Date.now() + 1_000).toISOString().replace(/\.\d+Z$/, '')),
  },
  {
    id: 'rate-limit-reset-local-time',
    openPoint: 'OP-109',
    choice: 'a local time without a zone',
    rules: limiting(() => new Date(Date.now() - 5 * 3_600_000 + 1_000).toISOString().slice(0, 19)),
  },
  {
    id: 'rate-limit-two-windows',
    openPoint: 'OP-108',
    choice: 'a second quota with a longer window',
    // The header gives the end of the shorter window.
    rules: overrideRules(() => {
      let count = 0;
      let until = 0;
      return {
        throttle: () => {
          count += 1;
          if (count === 3 * LIMITED_EVERY) until = Date.now() + LONG_WINDOW_MS;
          if (Date.now() >= until) return;
          throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': '1' });
        },
      };
    }),
  },
  {
    id: 'rate-limit-three-in-a-row',
    openPoint: 'OP-108',
    choice: 'three in a row from time to time',
    // Other clients of the key use up the quota of the next two windows.
    rules: overrideRules(() => {
      let count = 0;
      let endsOf: number[] = [];
      return {
        throttle: () => {
          count += 1;
          const now = Date.now();
          if (count % (3 * LIMITED_EVERY) === 0) endsOf = [1, 2, 3].map((window) => now + window * WINDOW_MS);
          const end = endsOf.find((each) => each > now);
          if (end === undefined) return;
          throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, {
            'X-RateLimit-Reset': String(end),
          });
        },
      };
    }),
  },
];
