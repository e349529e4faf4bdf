import { describe, expect, it } from 'vitest';
import { formatLimits } from '../../../reporting/text/wording.ts';
import { effectiveLimits } from '../../../specs/formats/journal.ts';
import { parseTarget } from '../../../specs/target-file/target.ts';

const limits = (given: object) =>
  effectiveLimits.parse(
    parseTarget({ baseUrl: 'http://127.0.0.1:1', actors: { seller: { key: 'k', secret: 's' } }, limits: given }).limits,
  );

describe('the limits in force', () => {
  it('name every limit of a target file', () => {
    const all = {
      concurrency: 1,
      requestsPerSecond: 2,
      requestsPerMinute: 60,
      requestTimeoutMs: 3000,
      settleWithinMs: 400,
      startWithinMs: 90_000,
      withdrawAtMost: '12.00',
      maxRequests: 500,
      deadlineMs: 60_000,
    };
    expect(formatLimits(limits(all))).toBe(
      'concurrency 1 · rate 2 per second, 60 per minute · at most 500 requests · request timeout 3.0 s · settle timeout 400 ms · start timeout 1 min 30 s · withdrawals up to 12.00 · deadline 1 min 0 s',
    );
  });

  it('omit unlimited values', () => {
    expect(formatLimits(limits({ requestsPerMinute: 60 }))).toMatch(
      /^concurrency 16 · rate 60 per minute · request timeout/,
    );
    expect(formatLimits(limits({}))).toBe(
      'concurrency 16 · rate unlimited · request timeout 10.0 s · settle timeout 5.0 s · withdrawals up to 1000.00',
    );
  });
});
