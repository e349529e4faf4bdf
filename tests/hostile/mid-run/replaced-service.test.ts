import { describe, expect, test, vi } from 'vitest';
import { type Front, type FrontOptions, type Passing, startFront } from '../support/hostile-proxy.ts';
import { HANDFUL, having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

/** At this request the preflight and some checks are complete. */
const MIDWAY = 80;
/** At these requests checks use invoices of other checks. Right after the preflight there is nothing to lose. */
const MUCH_IS_THERE = [200, 300, 400];

const typed = (status: number, type: string, body: string, more: [string, string][] = []): Passing => ({
  status,
  headers: [['Content-Type', type], ...more],
  body: Buffer.from(body),
});

/**
 * Expects that no check fails and that the target blocks some, with this reason. `change` is called with each response
 * and its number.
 */
async function expectBlocked(because: string, change: (response: Passing, count: number, front: Front) => Passing) {
  let count = 0;
  const changes: FrontOptions['changes'] = (response) => {
    count += 1;
    return change(response, count, front);
  };
  const front = await startFront({ changes });
  try {
    const run = await judged(front.target({ concurrency: 4 }), { only: [...HANDFUL, 'LIFE-02', 'ERR', 'LIST'] });
    expect(having(run, 'fail'), run.said).toEqual([]);
    expect(run.exitCode).toBe(3);
    const told = run.report?.checks.filter(({ reason }) => reason.includes(because)) ?? [];
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map(({ blockedBy }) => blockedBy))).toEqual(new Set(['target']));
  } finally {
    await front.close();
  }
}

describe.concurrent('no check fails because another service responds in the middle of a run:', () => {
  test.for<[string, Passing]>([
    ['a redirect to a login', typed(302, 'text/html', '', [['Location', 'https://login.example/']])],
    ['a page about maintenance', typed(200, 'text/html', '<!doctype html><p>We will be back soon</p>')],
    ['a gateway with an exhausted quota', typed(403, 'application/json', '{"message":"Limit Exceeded"}')],
  ])('%s', async ([, instead]) => {
    await expectBlocked('in place of the service', (response, count) => (count > MIDWAY ? instead : response));
  });

  test('a sandbox that another user empties', async () => {
    await expectBlocked('somebody emptied the sandbox', (response, count, { service }) => {
      const { invoices, bookings, replays } = service.reference.service.store.worlds.SANDBOX;
      if (MUCH_IS_THERE.includes(count)) for (const each of [invoices, bookings, replays]) each.clear();
      return response;
    });
  });
});
