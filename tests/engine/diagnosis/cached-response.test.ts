import { describe, expect, test } from 'vitest';
import { cachedResponseHint } from '../../../engine/diagnosis/cached-response.ts';
import { IntermediaryLog } from '../../../engine/diagnosis/intermediary-log.ts';
import type { CheckRecord } from '../../../specs/formats/journal.ts';
import { received } from '../support/responses.ts';

const record: CheckRecord = {
  kind: 'check',
  id: 'LIFE-02.small',
  verdict: 'fail',
  reason: 'the invoice is SUBMITTED',
  expected: '',
  actual: '',
  blockedBy: null,
  durationMs: 1,
  exchanges: [],
  expectation: null,
  decisive: [],
};

describe('a response comes from a cache', () => {
  test.each([
    ['x-cache', 'Hit from cloudfront'],
    ['x-cache', 'MISS, HIT'],
    ['cache-status', 'edge; hit; ttl=30'],
    ['cf-cache-status', 'HIT'],
    ['age', '3'],
  ])('%s: %s', (name, value) => {
    expect(cachedResponseHint(received({ headers: [[name, value]] }))).toBe(
      `a cache seems to have sent an earlier response (${name}: ${value}); let it cache nothing of this service, or write a baseUrl without it`,
    );
  });

  test.each([
    ['x-cache', 'MISS'],
    ['x-cache', 'White'],
    ['cache-status', 'edge; fwd=miss'],
    ['age', '0'],
    ['age', ''],
    ['cache-control', 'max-age=60'],
  ])('but not with %s: %s', (name, value) => {
    expect(cachedResponseHint(received({ headers: [[name, value]] }))).toBeNull();
  });
});

describe('the reason of a failed check', () => {
  const hit = received({ json: { status: 'SUBMITTED' }, headers: [['x-cache', 'HIT']] });
  const fresh = received({ json: { status: 'APPROVED' } });
  const log = new IntermediaryLog();
  for (const each of [hit, fresh]) log.observe(each);

  test('names the cache that sent the deciding response', () => {
    expect(log.annotate({ ...record, decisive: [fresh.exchange, hit.exchange] }).reason).toMatch(
      /^the invoice is SUBMITTED; a cache seems to have sent an earlier response \(x-cache: HIT\);/,
    );
  });

  test('names no cache if the service sent the deciding response', () => {
    expect(log.annotate({ ...record, decisive: [fresh.exchange], exchanges: [hit.exchange] })).toMatchObject({
      reason: 'the invoice is SUBMITTED',
    });
  });
});
