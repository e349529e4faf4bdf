import { setTimeout as pause } from 'node:timers/promises';
import { isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { hasFallenBy } from './balance.ts';
import { type BalancePair, hasEqualBalances, otherTreasuryActor, readOtherPartyBalance } from './balance-mix-up.ts';

/** In milliseconds, longer than a service usually caches a balance. */
const CACHE_EXPIRY_MS = 2500;

/**
 * Whether both parties may pay from one treasury, which the contract does not exclude: their balances are equal after a cache has
 * expired, and a withdrawal by the other party lowers both. If that party cannot withdraw, only the first part counts.
 */
export async function mayShareTreasury(ctx: CheckContext): Promise<boolean> {
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    const before = await readBothBalances(ctx);
    if (!hasEqualBalances(before)) return false;
    const { cents, text } = withdrawalAmountFor(ctx, 'shared treasury');
    const as = ctx.credentials(otherTreasuryActor(ctx));
    if (!isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', { as }, text))) return true;
    const after = await readBothBalances(ctx);
    return hasFallenBy(cents, before.sandbox, after.sandbox) && hasEqualBalances(after);
  });
}

/** Each balance after a cached one has expired. */
async function readBothBalances(ctx: CheckContext): Promise<BalancePair> {
  await pause(CACHE_EXPIRY_MS);
  const sandbox = await sendTreasuryRequest(ctx, 'treasuryBalance');
  await pause(CACHE_EXPIRY_MS);
  return { sandbox, other: await readOtherPartyBalance(ctx) };
}
