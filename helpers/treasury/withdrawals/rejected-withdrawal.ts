import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { ActionOptions } from '../../api/requests.ts';
import { sendTreasuryRequest, treasuryActor } from '../../api/treasury-requests.ts';
import { confirmBreach, FOREIGN_PAYMENT } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check.ts';
import { type WithdrawalAmount, type WithdrawalPurpose, withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { centsByPlace, type LoweredAmount, waitForLoweredAmount } from '../balances/balance.ts';

/** How long, in milliseconds, a wrong withdrawal may take to show. */
const WITHDRAWAL_EFFECT_MS = 100;

/**
 * Sends withdrawals that must be rejected, applies `rule` to each response, and throws a Breach if the balance falls by one
 * of them.
 */
export async function expectNoWithdrawal(
  ctx: CheckContext,
  use: WithdrawalPurpose,
  extras: readonly ActionOptions[],
  rule: (response: ApiResponse) => void | Promise<void>,
): Promise<void> {
  await confirmBreach(ctx, FOREIGN_PAYMENT, async ({ number }) => {
    const sum = withdrawalAmountFor(ctx, use, number);
    const paid = await ctx.run.balanceLock.exclusive(ctx.lockOwner, () =>
      findPaidDespiteRejection(ctx, sum, extras, rule),
    );
    if (paid)
      throw breach(
        ctx,
        paid.response,
        'no withdrawal',
        `the server rejected the withdrawal, but ${paid.place} fell by ${sum.text}`,
      );
  });
}

async function findPaidDespiteRejection(
  ctx: CheckContext,
  { cents, text }: WithdrawalAmount,
  extras: readonly ActionOptions[],
  rule: (response: ApiResponse) => void | Promise<void>,
): Promise<LoweredAmount | undefined> {
  const before = await readAffectedBalances(ctx);
  const responses = await Promise.all(extras.map((extra) => sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, text)));
  for (const response of responses) await rule(response);
  const most = responses.length;
  // A decrease stays, so one read at the end is enough.
  await pause(WITHDRAWAL_EFFECT_MS);
  const lowered = await Promise.all(
    before.map(({ as, amounts }) => waitForLoweredAmount(ctx, amounts, cents, 0, { least: 1, most, as })),
  );
  return lowered.find((each) => each !== null) ?? undefined;
}

/** The balances that a wrong withdrawal may lower: that of the withdrawing actor and that of the seller. */
async function readAffectedBalances(ctx: CheckContext) {
  if (!ctx.target.operations.treasuryBalance) return [];
  const names = ctx.availableActors(...new Set([treasuryActor(ctx, 'treasuryWithdraw'), 'seller' as const]));
  return await Promise.all(
    names.map(async (name) => {
      const as = ctx.credentials(name);
      return { as, amounts: centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance', { as })) };
    }),
  );
}
