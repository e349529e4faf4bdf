import { describe, expect, test } from 'vitest';
import { recordEffectWait } from '../../../../helpers/assert/poll.ts';
import {
  centsByPlace,
  secondEffectWaitMs,
  settlementLagMs,
  waitForLoweredAmount,
} from '../../../../helpers/treasury/balances/balance.ts';
import { answerOf, scripted } from '../../support/contexts.ts';

describe('the amounts of a balance', () => {
  test('are its numbers and numeric texts, in cents and with their places', () => {
    const balance = { available: '10.05', held: { usd: 3, eur: '-0.10' }, lines: ['7'], currency: 'USD', at: null };
    expect([...centsByPlace(answerOf(200, balance))]).toEqual([
      ['/available', 1005],
      ['/held/usd', 300],
      ['/held/eur', -10],
      ['/lines/0', 700],
    ]);
  });

  test.each(['1.2.3', '1,50', 'x1', '1 USD', '', '1.', '2026-01-31'])(
    'are not texts that only look like a number: %j',
    (text) => {
      expect(centsByPlace(answerOf(200, { text })).size).toBe(0);
    },
  );

  test.each([Date.now(), Math.floor(Date.now() / 1000), String(Date.now())])(
    'are not the time of the balance: %j',
    (asOf) => {
      expect(centsByPlace(answerOf(200, { asOf, available: '3.00' })).size).toBe(1);
    },
  );

  test('are not the numbers of an error response', () => {
    expect(centsByPlace(answerOf(403, { status: 403, error: 'Forbidden' })).size).toBe(0);
  });

  test('are read in both units if all are written without a decimal point', () => {
    expect([...centsByPlace(answerOf(200, { available: 9997180, held: '0' }))]).toEqual([
      ['/available', 999718000],
      ['/held', 0],
      ['/available (in cents)', 9997180],
      ['/held (in cents)', 0],
    ]);
    expect([...centsByPlace(answerOf(200, { available: '100.00', held: 0 })).keys()]).toEqual(['/available', '/held']);
  });

  test('are rounded to cents, because floats are inexact', () => {
    expect(centsByPlace(answerOf(200, '1.15')).get('')).toBe(115);
  });
});

test.each([
  [0, undefined, 100],
  [200, undefined, 500],
  [5000, undefined, 1500],
  [200, 300, 300],
])('after an effect that took %i ms, a second one is waited for: at most %s ms', (took, most, ms) => {
  expect(secondEffectWaitMs(took, most)).toBe(ms);
});

describe('the amount that is lower by a given sum', () => {
  const lowered = (now: object, range?: { least: number; most: number }) =>
    waitForLoweredAmount(scripted(() => ({ status: 200, json: now })).ctx, before, 150, 0, range);
  const before = new Map([
    ['/available', 1000],
    ['/total', 2000],
  ]);

  test('is found by the sum and its multiples', async () => {
    expect(await lowered({ available: '10.00', total: '18.50' })).toMatchObject({ place: '/total', times: 1 });
    const range = { least: 2, most: 3 };
    expect(await lowered({ available: '7.00', total: '20.00' }, range)).toMatchObject({
      place: '/available',
      times: 2,
    });
    expect(await lowered({ available: '5.50', total: '20.00' }, range)).toMatchObject({
      place: '/available',
      times: 3,
    });
  });

  test.each([
    ['the amount fell by more', { available: '7.00', total: '20.00' }],
    ['the amount fell by a part', { available: '9.25', total: '20.00' }],
    ['the amount rose', { available: '11.50', total: '20.00' }],
    ['the amount is new', { another: '-1.50' }],
    ['the amount is unchanged', { available: '10.00', total: '20.00' }],
  ])('is not found if %s', async (_, now) => {
    expect(await lowered(now)).toBeNull();
  });

  test('is waited for', async () => {
    let looks = 0;
    const { ctx } = scripted(() => {
      looks += 1;
      return { status: 200, json: { available: looks > 2 ? '8.50' : '10.00' } };
    });
    expect(await waitForLoweredAmount(ctx, before, 150, 5000)).toMatchObject({ place: '/available' });
    expect(looks).toBe(3);
  });
});

test.each([
  [200, 2100],
  [202, 3900],
])('a settlement with the response %i may change a balance for %i ms', async (status, ms) => {
  const { ctx } = scripted(() => ({ status }), { limits: { settleWithinMs: 5000 } });
  recordEffectWait(ctx.run, 'lowers a balance', { tookMs: 700, isMet: true, limitMs: 5000 });
  recordEffectWait(ctx.run, 'shows SETTLED', { tookMs: 1800, isMet: true, limitMs: 5000 });
  ctx.run.paymentClock.observe({ ...answerOf(status), request: { ...answerOf(status).request, operation: 'settle' } });
  expect(settlementLagMs(ctx)).toBe(ms);
});
