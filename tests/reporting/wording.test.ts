import { describe, expect, it } from 'vitest';
import { limitsInWords } from '../../reporting/wording.ts';
import { limitsInForce } from '../../specs/journal.ts';
import { parseTarget } from '../../specs/target.ts';

const limits = (given: object) =>
  limitsInForce.parse(
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
    expect(limitsInWords(limits(all))).toBe(
      'at most 1 request at once, 2 per second, 60 per minute, 500 in all, 3.0 s for each, 400 ms to settle, 1 min 30 s to start, withdrawals of 12.00 in all, 1 min 0 s for the run',
    );
  });

  it('leave out what holds nothing back', () => {
    expect(limitsInWords(limits({ requestsPerMinute: 60 }))).toMatch(
      /^at most 16 requests at once, 60 per minute, any/,
    );
    expect(limitsInWords(limits({}))).toBe(
      'at most 16 requests at once, any number per second, any number in all, 10.0 s for each, 5.0 s to settle, withdrawals of 1000.00 in all, no deadline',
    );
  });
});
