import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { type ActionOptions, sendTreasuryRequest, treasuryActor } from '../../api/operations.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { type WithdrawalAmount, type WithdrawalPurpose, withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { centsByPlace, type LoweredAmount, waitForLoweredAmount } from '../balances/balance.ts';

/** How long a withdrawal may take to show that should not be there, in milliseconds. */
const WITHDRAWAL_EFFECT_MS = 100;

const MAX_ATTEMPTS = 3;

/**
 * Withdrawals that are to be refused, each judged by its answer; and the balance, where it is bound, is not lowered by one of
 * them. Throws a Breach.
 */
export async function expectNoWithdrawal(
  ctx: CheckContext,
  use: WithdrawalPurpose,
  extras: readonly ActionOptions[],
  rule: (response: ApiResponse) => void | Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const sum = withdrawalAmountFor(ctx, use, tries);
    const paid = await ctx.run.balanceLock.exclusive(ctx.execution.id, () =>
      findPaidDespiteRejection(ctx, sum, extras, rule),
    );
    if (!paid) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries < MAX_ATTEMPTS) continue;
    throw breach(ctx, paid.response, 'no withdrawal', `refused, and ${paid.place} fell by ${sum.text} all the same`);
  }
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
  // What fell stays lower: one look at the end sees as much as many.
  await pause(WITHDRAWAL_EFFECT_MS);
  const lowered = await Promise.all(
    before.map(({ as, amounts }) => waitForLoweredAmount(ctx, amounts, cents, 0, { least: 1, most, as })),
  );
  return lowered.find((each) => each !== null) ?? undefined;
}

/** What may be lowered: the balance of whoever withdraws here, and that of the seller, whose keys are tried with some defect. */
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
