import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { type Front, startFront } from '../support/hostile-proxy.ts';
import { HANDFUL, having, type Judged, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

async function held(limits: TargetInput['limits'], only = HANDFUL, lateMs = 0): Promise<{ run: Judged; front: Front }> {
  const front = await startFront({ lateMs });
  onTestFinished(() => front.close());
  return { front, run: await judged(front.target({ requestTimeoutMs: 20_000, ...limits }), { only }) };
}

/** The largest number of requests that arrived within any period of `spanMs`. */
function densest(requests: Front['requests'], spanMs: number): number {
  const times = requests.map(({ at }) => at);
  return Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + spanMs).length));
}

describe('the budget', () => {
  test.each([20, 57, 100])(
    'of %i requests is kept, including clean-up, and every removable item is removed',
    async (maxRequests) => {
      const { run, front } = await held({ maxRequests });
      expect(front.requests.length).toBeLessThanOrEqual(maxRequests);
      expect([run.exitCode, having(run, 'fail'), having(run, 'error')]).toEqual([3, [], []]);
      const blocked = run.report?.checks.filter(
        ({ blockedBy }) => blockedBy === 'limits.maxRequests of the target file',
      );
      expect(blocked?.length).toBeGreaterThan(0);
      for (const { reason } of blocked ?? [])
        expect(reason).toMatch(new RegExp(`^the budget of ${maxRequests} requests is used up: \\d+ sent`));
      expect(run.report?.leftovers.filter(({ what }) => /DRAFT|SUBMITTED/.test(what))).toEqual([]);
      expect(run.report?.run.limits).toMatchObject({ maxRequests });
    },
  );

  test('too small for the preflight gives one clear line', async () => {
    const { run, front } = await held({ maxRequests: 3 });
    expect([run.exitCode, run.said]).toEqual([
      2,
      expect.stringMatching(/^limits\.maxRequests of the target file: found 3, which is too low: /),
    ]);
    expect(front.requests).toHaveLength(3);
  });

  test('that is large enough has no effect', async () => {
    const { run } = await held({ maxRequests: 5000 });
    expect(run.exitCode, run.said).toBe(0);
  });

  test('covers the availability probes, too', async () => {
    const front = await startFront({ strikes: (count) => (count > 20 ? (socket) => socket.destroy() : null) });
    onTestFinished(() => front.close());
    const run = await judged(front.target({ maxRequests: 40 }));
    expect(front.requests.length).toBeLessThanOrEqual(40);
    expect([run.exitCode, having(run, 'fail'), having(run, 'error')]).toEqual([3, [], []]);
  });
});

describe('the deadline', () => {
  test('ends the run and says so, and the created items are removed', async () => {
    const { run } = await held({ deadlineMs: 1500, concurrency: 2 }, HANDFUL, 100);
    expect([run.exitCode, run.report?.verdict, having(run, 'fail'), having(run, 'error')]).toEqual([
      3,
      'inconclusive',
      [],
      [],
    ]);
    expect(run.said).toContain(
      'the run was interrupted: its deadline of 1.5 s (limits.deadlineMs, --deadline) was reached',
    );
    expect(run.report?.summary.executed).toBeLessThan(run.report?.summary.selected ?? 0);
    const untouched = run.report?.leftovers.filter(
      ({ what, reason }) => /DRAFT|SUBMITTED/.test(what) && !/^(delete|cancel) was rejected with 4/.test(reason),
    );
    expect(untouched).toEqual([]);
  });

  test('that passes before the preflight gives one clear line', async () => {
    const { run } = await held({ deadlineMs: 1000 }, HANDFUL, 700);
    expect([run.exitCode, run.said]).toEqual([
      2,
      expect.stringMatching(/^limits\.deadlineMs: 1000 ms .* increase it$/),
    ]);
  });

  test('that is far in the future has no effect', async () => {
    const { run } = await held({ deadlineMs: 3_600_000 });
    expect(run.exitCode, run.said).toBe(0);
  });
});

describe('the number of requests under way', () => {
  test.each([1, 3, 8])('is never more than %i on the server', async (concurrency) => {
    const { run, front } = await held({ concurrency }, HANDFUL, 5);
    expect(run.exitCode, run.said).toBe(0);
    expect(front.crowd).toBe(concurrency);
  });
});

describe('the requests per second', () => {
  test('never exceed the limit on the server', async () => {
    const { run, front } = await held({ requestsPerSecond: 25 }, ['AUTH-01', 'CREATE-01', 'LIFE-01', 'REC-11']);
    expect([0, 3]).toContain(run.exitCode);
    expect(front.requests.length).toBeGreaterThan(60);
    // One request at the start, and one that a busy machine may have delayed.
    expect(densest(front.requests, 1000)).toBeLessThanOrEqual(25 + 2);
  });
});

test('every report shows all limits in force', async () => {
  const { run } = await held({ requestsPerSecond: 200, maxRequests: 4000, deadlineMs: 90_000 }, ['AUTH-01']);
  const line =
    'concurrency 8 · rate 200 per second · at most 4000 requests · request timeout 20.0 s · settle timeout 300 ms · withdrawals up to 1000.00 · deadline 1 min 30 s';
  expect(run.rendered.split(line)).toHaveLength(3);
  expect(run.report?.run.limits).toEqual({
    concurrency: 8,
    requestsPerSecond: 200,
    requestsPerMinute: 'none',
    requestTimeoutMs: 20_000,
    settleWithinMs: 300,
    startWithinMs: 0,
    withdrawAtMost: '1000.00',
    maxRequests: 4000,
    deadlineMs: 90_000,
  });
});
