import { expect, test } from 'vitest';
import { Breach } from '../../../../engine/model/outcomes.ts';
import type { WithdrawalPurpose } from '../../../../helpers/data/withdrawal-amounts.ts';
import { expectNoWithdrawal } from '../../../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { scripted } from '../../support/contexts.ts';

const operations = {
  treasuryBalance: { method: 'GET', path: '/balance' },
  treasuryWithdraw: { method: 'POST', path: '/withdrawals', body: { amount: '{amount}' } },
};

/** A server that rejects every withdrawal, and pays those with a header nevertheless. */
function treasury() {
  let cents = 1_000_000;
  const { ctx, asks } = scripted(
    ({ operation, body, headers = [] }) => {
      if (operation === 'treasuryBalance') return { status: 200, json: { available: (cents / 100).toFixed(2) } };
      if (headers.some(([name]) => name === 'x-paid'))
        cents -= Math.round(Number((body as { amount: string }).amount) * 100);
      return { status: 401 };
    },
    { operations },
  );
  const check = (use: WithdrawalPurpose, headers: [string, string][] = []) =>
    expectNoWithdrawal(ctx.forPart(), use, [{ headers }], () => undefined);
  return { asks, check };
}

test('checks send their rejected withdrawals in one section, between the balances before and after', async () => {
  const { asks, check } = treasury();
  await Promise.all([check('unauthorized'), check('unknown environment')]);
  const sent = asks.map(({ operation }) => (operation === 'treasuryBalance' ? 'balance' : 'withdrawal'));
  expect(sent).toEqual(['balance', 'balance', 'withdrawal', 'withdrawal', 'balance', 'balance']);
});

test('a balance that falls is attributed to the check whose withdrawal was paid', async () => {
  const { check } = treasury();
  const [paid, unpaid] = await Promise.allSettled([
    check('unauthorized', [['x-paid', '1']]),
    check('unknown environment'),
  ]);
  expect(paid).toMatchObject({ reason: expect.any(Breach) });
  expect(unpaid).toMatchObject({ status: 'fulfilled' });
});
