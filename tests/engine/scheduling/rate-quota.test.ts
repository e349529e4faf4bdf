import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RateLimits, RequestLimiter } from '../../../engine/scheduling/request-limiter.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reproducible pseudorandom numbers between 0 and 1. */
function* numbers(seed: number): Generator<number, number> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

/**
 * The times at which a server counts requests, each at a random time between its start and its response. All requests
 * are sent as soon as the limits allow.
 */
async function counted(limits: RateLimits, requests: number, seed: number, { before = 0, volley = 1 } = {}) {
  const random = numbers(seed);
  const pace = new RequestLimiter(limits);
  const times: number[] = [];
  for (let at = 0; at < before; at += 1) times.push(performance.now());
  if (before > 0) pace.recordPrevious(before);
  const send = async () => {
    const latency = random.next().value * 20_000;
    const way = random.next().value * latency;
    setTimeout(() => times.push(performance.now()), way);
    await new Promise<void>((over) => setTimeout(over, latency));
    pace.release(null);
  };
  let left = requests;
  const ask = async (): Promise<void> => {
    const granted = await pace.acquire(null, Math.min(volley, left));
    left -= granted;
    for (let at = 0; at < granted; at += 1) void send();
    if (left > 0) await ask();
  };
  void ask();
  for (let minutes = 0; times.length < before + requests && minutes < 200; minutes += 1) {
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
  }
  expect(times).toHaveLength(before + requests);
  return times.sort((a, b) => a - b);
}

/** The largest number of requests within any minute. */
function densest(times: readonly number[]): number {
  return Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + MINUTE_MS).length));
}

describe('a quota of requests per minute', () => {
  test.each([
    ['one request after the other', { concurrency: 1, requestsPerSecond: 'none', requestsPerMinute: 60 }, {}],
    ['64 concurrent requests', { concurrency: 64, requestsPerSecond: 'none', requestsPerMinute: 60 }, {}],
    [
      'groups of 20 requests for the same moment',
      { concurrency: 64, requestsPerSecond: 'none', requestsPerMinute: 60 },
      { volley: 20 },
    ],
    ['with a rate per second', { concurrency: 8, requestsPerSecond: 3, requestsPerMinute: 100 }, {}],
    [
      'after the requests of the preflight',
      { concurrency: 16, requestsPerSecond: 'none', requestsPerMinute: 30 },
      { before: 9 },
    ],
    ['one request per minute', { concurrency: 16, requestsPerSecond: 'none', requestsPerMinute: 1 }, {}],
  ] as const)('is never exceeded, for responses of any duration: %s', async (_, limits, more) => {
    for (const seed of [1, 2, 3]) {
      const requests = limits.requestsPerMinute === 1 ? 5 : 200;
      expect(densest(await counted(limits, requests, seed, more))).toBeLessThanOrEqual(limits.requestsPerMinute);
    }
  });

  test('is used to at least 95 percent', async () => {
    const times = await counted({ concurrency: 64, requestsPerSecond: 'none', requestsPerMinute: 60 }, 300, 7);
    const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
    // Responses that take ten seconds occupy their places for as long.
    expect(span).toBeLessThan((300 / 60) * (MINUTE_MS + 20_000) * 1.05);
  });

  test('may be less than one', async () => {
    const pace = new RequestLimiter({ concurrency: 4, requestsPerSecond: 'none', requestsPerMinute: 0.5 });
    const diary: number[] = [];
    for (let at = 0; at < 2; at += 1) {
      void pace.acquire(null, 1).then(() => {
        diary.push(performance.now());
        pace.release(null);
      });
    }
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS - 1);
    expect(diary).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(diary).toHaveLength(2);
  });

  test('counts requests of the same moment together', async () => {
    const times = await counted({ concurrency: 256, requestsPerSecond: 'none', requestsPerMinute: 600 }, 640, 5, {
      volley: 16,
    });
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(110_000);
  });

  test('lets a small request pass larger ones that wait', async () => {
    const pace = new RequestLimiter({ concurrency: 32, requestsPerSecond: 20, requestsPerMinute: 600 });
    const diary: string[] = [];
    await pace.acquire(null, 1);
    void pace.acquire('volley', 20).then(() => diary.push('volley'));
    await vi.advanceTimersByTimeAsync(10);
    void pace.acquire('urgent', 1, { urgent: true }).then(() => diary.push('urgent'));
    await vi.advanceTimersByTimeAsync(200);
    expect(diary).toEqual(['urgent']);
  });
});

test('an exclusive request counts as one and waits until nothing else is under way', async () => {
  const pace = new RequestLimiter({ concurrency: 16, requestsPerSecond: 1 });
  const diary: string[] = [];
  await pace.acquire('other', 1);
  void pace.acquire('alone', 1, { exclusive: true }).then((places) => diary.push(`alone ${places}`));
  await vi.advanceTimersByTimeAsync(1500);
  expect(diary).toEqual([]);
  pace.release('other');
  await vi.advanceTimersByTimeAsync(0);
  expect(diary).toEqual(['alone 16']);
});
