import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { sendTreasuryRequest, withdrawSimultaneously } from '../../../helpers/api/treasury-requests.ts';
import { remainingWithdrawalCents, withdrawnCents } from '../../../helpers/data/withdrawal-ledger.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const operations = {
  treasuryBalance: { method: 'GET', path: '/balance' },
  treasuryWithdraw: { method: 'POST', path: '/withdrawals', body: { amount: '{amount}' } },
};

/** A context that may withdraw 10.00 in total. Its treasury responds with these statuses, then with 201. */
function treasuryOf(...statuses: number[]) {
  const reply = ({ operation }: ApiRequest): Reply =>
    operation === 'treasuryBalance'
      ? { status: 200, json: { available: '95.00' } }
      : { status: statuses.shift() ?? 201 };
  return scripted(reply, { operations, limits: { withdrawAtMost: '10.00' } });
}

describe('the withdrawals of a run', () => {
  test('never exceed the limit in total, and the check names the required limit', async () => {
    const { ctx, asks } = treasuryOf();
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '6.00');
    const beyond = sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '4.01');
    await expect(beyond).rejects.toThrow(Blocked);
    await expect(beyond).rejects.toThrow(
      'this check withdraws 4.01, and the run has already withdrawn 6.00 of 10.00: raise limits.withdrawAtMost to "10.01" or more',
    );
    await expect(beyond).rejects.toMatchObject({ blockedBy: 'limits.withdrawAtMost of the target file' });
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '4.00');
    expect(asks).toHaveLength(2);
  });

  test('are limited when they are concurrent, too', async () => {
    const { ctx, asks } = treasuryOf();
    const all = [1, 2, 3].map(() => sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '4.00'));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(asks).toHaveLength(2);
  });

  test('count once for each requestId, and not at all if they are rejected', async () => {
    const { ctx } = treasuryOf(412);
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '9.00');
    expect(withdrawnCents(ctx.run)).toBe(0);
    await withdrawSimultaneously(ctx, 'same', '6.00', 5);
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId: 'same' }, '6.00');
    expect(withdrawnCents(ctx.run)).toBe(600);
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId: 'same' }, '7.00');
    expect(ctx.run.leftovers.entries()).toEqual([['6.00, same', expect.objectContaining({ what: 'withdrawal' })]]);
  });

  test('beyond the funds do not use the limit, and count if the server accepts them', async () => {
    const { ctx } = treasuryOf();
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, '99999.00');
    const rest = remainingWithdrawalCents(ctx);
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '10.00');
    expect(rest - remainingWithdrawalCents(ctx)).toBe(1000);
    expect(withdrawnCents(ctx.run)).toBe(9_999_900 + 1000);
  });
});
