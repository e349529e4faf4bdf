import { describe, expect, test } from 'vitest';
import { estimateDurationMs } from '../../../engine/scheduling/duration-estimate.ts';
import { profileCostFor } from '../../../specs/catalogue/profile-costs.ts';
import { parseTarget } from '../../../specs/target-file/target.ts';

function seconds(requests: number, latencyMs: number, limits: object, more: { chain?: number; waitsMs?: number } = {}) {
  const target = parseTarget({ baseUrl: 'http://localhost', actors: { seller: { key: 'k', secret: 's' } }, limits });
  return estimateDurationMs({ requests, latencyMs, limits: target.limits, ...more }) / 1000;
}

describe('a predicted duration', () => {
  test('is that of the slowest of rate, quota and responses', () => {
    expect(seconds(600, 10, { requestsPerSecond: 10 })).toBe(60);
    expect(seconds(600, 10, { requestsPerSecond: 10, requestsPerMinute: 60 })).toBeCloseTo(610);
    expect(seconds(600, 10, { requestsPerSecond: 0.5, requestsPerMinute: 60 })).toBe(1200);
    expect(seconds(600, 160, { concurrency: 16 })).toBe(6);
    expect(seconds(600, 160, { concurrency: 1 })).toBe(96);
  });

  test('is that of a chain, unless the rate is slower', () => {
    expect(seconds(16, 1000, { concurrency: 16 }, { chain: 20 })).toBeCloseTo(20.3);
    expect(seconds(100, 1000, { requestsPerMinute: 60 }, { chain: 20 })).toBeCloseTo(101.7, 0);
  });

  test('ends with the request budget', () => {
    expect(seconds(600, 10, { requestsPerSecond: 10, maxRequests: 50 }, { waitsMs: 1000 })).toBe(6);
  });

  test.each([
    // Measured against the reference service: requests, milliseconds per response, limits, seconds.
    ['smoke', 563, 6, { requestsPerMinute: 60 }, 595.9],
    ['smoke', 563, 4, { requestsPerMinute: 1200 }, 32],
    ['smoke', 506, 112, {}, 10.6],
    ['smoke', 502, 312, {}, 24.7],
    ['smoke', 516, 312, { concurrency: 4 }, 46.6],
    ['smoke', 614, 312, { concurrency: 1 }, 197.6],
    ['core', 3551, 112, {}, 38.7],
    ['full', 4154, 50, {}, 20.4],
    ['read-only', 343, 312, {}, 13.8],
  ])('of %s with %i requests at %i ms is right within a fifth: %j', (profile, requests, latencyMs, limits, took) => {
    const { chain, waitsMs } = profileCostFor(profile);
    const predicted = seconds(requests, latencyMs, limits, { chain, waitsMs });
    expect(predicted / took).toBeGreaterThan(0.8);
    expect(predicted / took).toBeLessThan(1.2);
  });
});
