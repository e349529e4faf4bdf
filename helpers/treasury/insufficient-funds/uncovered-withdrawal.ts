import { setTimeout as pause } from 'node:timers/promises';
import { type ApiResponse, bodyMember, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedResult } from '../../context/shared-result.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { centsByPlace, MAX_BALANCE_LAG_MS, waitForLoweredAmount } from '../balances/balance.ts';

const UNCOVERED_AMOUNT = '9999999999999.99';

interface UncoveredWithdrawal {
  amount: string;
  balanceBefore: ApiResponse | null;
  response: ApiResponse;
  balanceAfter: ApiResponse | null;
}

/** The run's first withdrawal beyond the funds, with the balance before and after it. */
export const firstUncoveredWithdrawal = sharedResult(
  (ctx): Promise<UncoveredWithdrawal> =>
    ctx.run.balanceLock.exclusive(ctx.lockOwner, () => withdrawUncoveredAmount(ctx)),
);

async function withdrawUncoveredAmount(ctx: CheckContext): Promise<UncoveredWithdrawal> {
  const balance = async () =>
    ctx.target.operations.treasuryBalance ? await sendTreasuryRequest(ctx, 'treasuryBalance') : null;
  const before = await balance();
  let amount = UNCOVERED_AMOUNT;
  let response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
  // The contract sets no maximum number of digits, so the amount is shortened while it exceeds the funds.
  const most = before ? Math.max(0, ...centsByPlace(before).values()) : 0;
  while (response.status === 400 && most > 0 && Number(amount.slice(1)) * 100 > most) {
    amount = amount.slice(1);
    response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
  }
  return { amount, balanceBefore: before, response: response, balanceAfter: await balance() };
}

/** Whether the server rejects a withdrawal beyond the funds with 412 TREAS007. */
export async function hasFundsLimit(ctx: CheckContext): Promise<boolean> {
  if (!ctx.target.operations.treasuryWithdraw) return false;
  const { response } = await firstUncoveredWithdrawal(ctx);
  return response.status === 412 && bodyMember(response, 'code') === 'TREAS007';
}

const WITHDRAWAL_REPETITIONS = 3;

/** Whether the balance falls with every withdrawal beyond the funds, but not without one. */
export async function isDecreaseReproducible(ctx: CheckContext): Promise<boolean> {
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    for (let time = 0; time < WITHDRAWAL_REPETITIONS; time += 1) {
      const started = performance.now();
      const { balanceBefore, balanceAfter } = await withdrawUncoveredAmount(ctx);
      const took = performance.now() - started;
      if (!balanceBefore || !balanceAfter || decreasedPlaces(balanceBefore, balanceAfter).length === 0) return false;
      await pause(took);
      const later = await sendTreasuryRequest(ctx, 'treasuryBalance');
      if (decreasedPlaces(balanceAfter, later).length > 0) return false;
    }
    return true;
  });
}

/** The amounts of a balance that are lower than before, in cents, with their places. */
export function decreasedPlaces(before: ApiResponse, after: ApiResponse): [place: string, now: number][] {
  const then = centsByPlace(before);
  return [...centsByPlace(after)].filter(([place, now]) => now < (then.get(place) ?? now));
}

/** The places of a balance that an accepted withdrawal lowers by its amount. All places if no withdrawal is accepted. */
export async function findFundsPlaces(ctx: CheckContext): Promise<{ has: (place: string) => boolean }> {
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    const { cents, text } = withdrawalAmountFor(ctx, 'places of funds');
    const then = centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance'));
    if (!isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text))) return { has: () => true };
    const lowered = await waitForLoweredAmount(ctx, then, cents, MAX_BALANCE_LAG_MS);
    if (!lowered) return { has: () => true };
    const now = [...centsByPlace(lowered.response)];
    return new Set(now.filter(([place, left]) => (then.get(place) ?? left) - left === cents).map(([place]) => place));
  });
}
