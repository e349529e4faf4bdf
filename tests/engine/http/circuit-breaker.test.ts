import { expect, onTestFinished, test, vi } from 'vitest';
import { CircuitBreaker } from '../../../engine/http/circuit-breaker.ts';
import type { ApiRequest } from '../../../engine/model/messages.ts';

const ask: ApiRequest = {
  operation: 'list',
  method: 'GET',
  path: '/api/v1/invoices',
  actorLabel: 'seller',
  actor: 'seller',
  credentials: [],
};
const limited = {
  request: ask,
  requestLine: 'GET /api/v1/invoices',
  status: 429,
  headers: [['X-RateLimit-Reset', '1']],
} as const;

/** Rate limits are not tested here: other requests succeed in between. */
const opened = () => new CircuitBreaker({ consecutivePauses: 0, slowDown: () => {}, onSuccess: () => {} });

function turnAway(prospects: CircuitBreaker): void {
  for (let times = 0; times < 20; times += 1) prospects.onRateLimited(limited, times);
  expect(() => prospects.onRateLimited(limited, 20)).toThrow('429 21 times, although the kit waited each time');
}

test('an operation that is always rejected is given up, and no other', () => {
  const prospects = opened();
  turnAway(prospects);
  turnAway(prospects);
  prospects.assertClosed(ask);
  turnAway(prospects);
  expect(() => prospects.assertClosed(ask)).toThrow('429 21 times');
  prospects.assertClosed({ ...ask, operation: 'create' });
  prospects.assertClosed({ ...ask, actorLabel: 'buyer' });
  expect(prospects.isOpen).toBe(false);
});

test('an operation that sometimes succeeds is not given up', () => {
  const prospects = opened();
  for (let turn = 0; turn < 5; turn += 1) {
    turnAway(prospects);
    prospects.onSuccess(ask);
  }
  prospects.assertClosed(ask);
});

test('a target that has worked is given a minute, because its quota may have a window of a minute', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limiter = { consecutivePauses: 6, slowDown: () => {}, onSuccess: () => {} };
  const breaker = new CircuitBreaker(limiter);
  breaker.onSuccess(ask);
  breaker.onRateLimited(limited, 0);
  vi.advanceTimersByTime(64_000);
  breaker.onRateLimited(limited, 1);
  breaker.onSuccess(ask);
  vi.advanceTimersByTime(64_000);
  breaker.onRateLimited(limited, 0);
  expect(breaker.isOpen).toBe(false);
  vi.advanceTimersByTime(65_000);
  expect(() => breaker.onRateLimited(limited, 1)).toThrow('429 to every request');
  expect(() => new CircuitBreaker(limiter).onRateLimited(limited, 0)).toThrow('429 to every request');
});
