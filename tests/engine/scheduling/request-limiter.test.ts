import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RequestLimiter } from '../../../engine/scheduling/request-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests a number of places at once and counts the granted ones. */
function queue(pace: RequestLimiter, count: number): { readonly started: number } {
  const seen = { started: 0 };
  for (let at = 0; at < count; at += 1) {
    void pace.acquire(null, 1).then(() => {
      seen.started += 1;
    });
  }
  return seen;
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the concurrency', () => {
  test('is never exceeded, and every free place is used', async () => {
    const pace = new RequestLimiter({ concurrency: 3, requestsPerSecond: 'none' });
    const seen = queue(pace, 10);
    for (const started of [3, 4, 5, 6, 7, 8, 9, 10, 10]) {
      await settled();
      expect(seen.started).toBe(started);
      pace.release(null);
    }
  });

  test('needs no time without other limits', async () => {
    const seen = queue(new RequestLimiter({ concurrency: 16, requestsPerSecond: 'none' }), 16);
    await settled();
    expect(seen.started).toBe(16);
  });
});

describe('the requests per second', () => {
  test('are spread evenly at any concurrency', async () => {
    const seen = queue(new RequestLimiter({ concurrency: 100, requestsPerSecond: 10 }), 30);
    await settled();
    expect(seen.started).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.started).toBe(11);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.started).toBe(21);
  });

  test('are not saved up in a pause', async () => {
    const pace = new RequestLimiter({ concurrency: 100, requestsPerSecond: 10 });
    queue(pace, 1);
    await vi.advanceTimersByTimeAsync(10_000);
    const seen = queue(pace, 30);
    await settled();
    expect(seen.started).toBeLessThanOrEqual(2);
  });

  test('may be fewer than one', async () => {
    const seen = queue(new RequestLimiter({ concurrency: 4, requestsPerSecond: 0.5 }), 3);
    await vi.advanceTimersByTimeAsync(1999);
    expect(seen.started).toBe(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(seen.started).toBe(2);
  });
});

describe('a rate limiter that returns 429', () => {
  test('delays every request until the time in its response', async () => {
    const pace = new RequestLimiter({ concurrency: 4, requestsPerSecond: 'none' });
    pace.slowDown(3000);
    const seen = queue(pace, 2);
    await vi.advanceTimersByTimeAsync(2999);
    expect(seen.started).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.started).toBe(2);
  });

  test('halves the concurrency, and further 429s of the same moment do not', async () => {
    const pace = new RequestLimiter({ concurrency: 8, requestsPerSecond: 'none' });
    for (let echo = 0; echo < 5; echo += 1) pace.slowDown(1000);
    const seen = queue(pace, 20);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.started).toBe(4);
  });

  test('never stops the run for good', async () => {
    const pace = new RequestLimiter({ concurrency: 2, requestsPerSecond: 'none' });
    for (let again = 0; again < 4; again += 1) {
      pace.slowDown(100);
      await vi.advanceTimersByTimeAsync(100);
    }
    const seen = queue(pace, 3);
    await settled();
    expect(seen.started).toBe(1);
  });

  test('is forgotten in steps, after many ordinary responses', async () => {
    const pace = new RequestLimiter({ concurrency: 8, requestsPerSecond: 'none' });
    pace.slowDown(0);
    for (let response = 0; response < 499; response += 1) pace.onSuccess();
    const seen = queue(pace, 20);
    await settled();
    expect(seen.started).toBe(4);
    pace.onSuccess();
    pace.release(null);
    await settled();
    expect(seen.started).toBe(6);
  });
});

describe('a check that sends many requests at once', () => {
  const asks = (pace: RequestLimiter, whose: string, count: number, diary: string[]) => {
    for (let at = 0; at < count; at += 1) void pace.acquire(whose, 1).then(() => diary.push(whose));
  };

  test('lets checks with few requests go first', async () => {
    const pace = new RequestLimiter({ concurrency: 9, requestsPerSecond: 'none' });
    const diary: string[] = [];
    asks(pace, 'much', 20, diary);
    asks(pace, 'little', 2, diary);
    await settled();
    expect(diary).toEqual(Array(9).fill('much'));
    pace.release('much');
    pace.release('much');
    await settled();
    // With seven requests, a check has no disadvantage any more: the order of arrival decides again.
    expect(diary.slice(9)).toEqual(['little', 'much']);
    pace.release('little');
    await settled();
    expect(diary.slice(11)).toEqual(['little']);
  });

  test('is not passed forever by single requests while it waits for all places', async () => {
    const pace = new RequestLimiter({ concurrency: 2, requestsPerSecond: 'none' });
    const diary: string[] = [];
    asks(pace, 'first', 2, diary);
    void pace.acquire('volley', 2).then(() => diary.push('volley'));
    asks(pace, 'later', 3, diary);
    await settled();
    pace.release('first');
    await settled();
    expect(diary).toEqual(['first', 'first']);
    pace.release('first');
    await settled();
    expect(diary).toEqual(['first', 'first', 'volley']);
  });
});

test('an urgent request of a check that holds a lock goes first', async () => {
  const pace = new RequestLimiter({ concurrency: 1, requestsPerSecond: 'none' });
  const diary: string[] = [];
  const ask = (whose: string, wanted: number, urgent: boolean) =>
    void pace.acquire(whose, wanted, { urgent }).then(() => diary.push(whose));
  ask('first', 1, false);
  ask('volley', 2, false);
  ask('ordinary', 1, false);
  ask('urgent', 1, true);
  ask('urgent, too', 1, true);
  for (const whose of ['first', 'urgent', 'urgent, too', 'volley', 'ordinary']) {
    await settled();
    expect(diary.at(-1)).toBe(whose);
    pace.release(whose);
  }
});

describe('reserved places', () => {
  const together = (pace: RequestLimiter, wanted: number) => {
    const seen: { granted?: number } = {};
    void pace.acquire(null, wanted).then((granted) => {
      seen.granted = granted;
    });
    return seen;
  };

  test('wait until enough places are free, before all later requests', async () => {
    const pace = new RequestLimiter({ concurrency: 4, requestsPerSecond: 'none' });
    queue(pace, 2);
    const volley = together(pace, 4);
    const later = queue(pace, 1);
    await settled();
    expect([volley.granted, later.started]).toEqual([undefined, 0]);
    pace.release(null);
    pace.release(null);
    await settled();
    expect([volley.granted, later.started]).toEqual([4, 0]);
    pace.release(null);
    await settled();
    expect(later.started).toBe(1);
  });

  test('never exceed the limits', async () => {
    const pace = new RequestLimiter({ concurrency: 4, requestsPerSecond: 'none' });
    const volley = together(pace, 20);
    await settled();
    expect(volley.granted).toBe(4);
  });

  test('are saved up if the requests per second are limited', async () => {
    const pace = new RequestLimiter({ concurrency: 16, requestsPerSecond: 5 });
    queue(pace, 1);
    const volley = together(pace, 16);
    await vi.advanceTimersByTimeAsync(900);
    expect(volley.granted).toBeUndefined();
    await vi.advanceTimersByTimeAsync(101);
    expect(volley.granted).toBe(5);
    const later = queue(pace, 1);
    await settled();
    expect(later.started).toBe(0);
  });
});

test('closed connections reduce the concurrency to a few, and no further', async () => {
  const pace = new RequestLimiter({ concurrency: 16, requestsPerSecond: 'none' });
  for (let times = 0; times < 5; times += 1) {
    pace.reduceConcurrency(50);
    await vi.advanceTimersByTimeAsync(60);
  }
  const seen = queue(pace, 16);
  await settled();
  expect(seen.started).toBe(4);
  expect(pace.consecutivePauses).toBe(0);
});
