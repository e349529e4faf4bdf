import { Blocked } from '../../../engine/model/outcomes.ts';
import { type ApiResponse, describeResponse } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedResult } from '../../context/shared-result.ts';
import { centsOf, formatAmount, ONE_UNIT_CENTS } from '../../data/amounts.ts';
import { smallCoveredAmount } from '../../data/withdrawal-amounts.ts';
import { maxLargeWithdrawalCents, remainingWithdrawalCents } from '../../data/withdrawal-ledger.ts';
import { centsByPlace } from '../balances/balance.ts';
import { isSameRejection } from './payment-rejection.ts';
import { MAX_SANDBOX_CENTS } from './uncovered-invoice.ts';

const WITHDRAW_AT_MOST = 'limits.withdrawAtMost of the target file';
const BALANCE = 'operations.treasuryBalance of the target file';

/**
 * Withdraws all but one unit of the largest amount of the balance, as the control of a withdrawal that was rejected with another
 * code than TREAS007: a server may have a maximum per withdrawal. Throws Blocked if no covered withdrawal can tell the two apart.
 */
export async function withdrawCoveredAmount(ctx: CheckContext, rejection: ApiResponse): Promise<ApiResponse> {
  if (!ctx.target.operations.treasuryBalance) return await withdrawWithoutBalance(ctx, rejection);
  // Concurrent withdrawals of other checks would leave too little.
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    const most = Math.max(0, ...centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance')).values());
    if (most <= ONE_UNIT_CENTS || most >= MAX_SANDBOX_CENTS) {
      const found = `the largest amount in operations.treasuryBalance is ${formatAmount(most)}`;
      const advice =
        most > ONE_UNIT_CENTS
          ? 'this is more than the kit withdraws; bind an operation that shows the funds of the account'
          : 'bind the balance of a funded sandbox account';
      throw new Blocked(BALANCE, `${describeDoubt(rejection)} ${found}: ${advice}`);
    }
    const cents = most - ONE_UNIT_CENTS;
    if (cents > remainingWithdrawalCents(ctx)) return await withdrawWithinRest(ctx, rejection, cents);
    return await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, formatAmount(cents));
  });
}

/** A small withdrawal shows a rule against every withdrawal, but no maximum. */
async function withdrawWithoutBalance(ctx: CheckContext, rejection: ApiResponse): Promise<ApiResponse> {
  const small = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, smallCoveredAmount(ctx));
  if (isSameRejection(small, rejection)) return small;
  throw new Blocked(
    BALANCE,
    `${describeDoubt(rejection)} the balance is unknown: bind operations.treasuryBalance, so that the kit can withdraw a large covered amount`,
  );
}

/** The largest withdrawal that the limit permits. A server with a lower maximum rejects it, and no money moves. */
const largestPermitted = sharedResult(async (ctx): Promise<{ amount: string; response: ApiResponse } | null> => {
  const cents = Math.min(maxLargeWithdrawalCents(ctx), remainingWithdrawalCents(ctx));
  const amount = formatAmount(cents);
  return cents < centsOf(smallCoveredAmount(ctx))
    ? null
    : { amount, response: await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, amount) };
});

async function withdrawWithinRest(ctx: CheckContext, rejection: ApiResponse, cents: number): Promise<ApiResponse> {
  const permitted = await largestPermitted(ctx);
  if (permitted && isSameRejection(permitted.response, rejection)) return permitted.response;
  const { withdrawAtMost } = ctx.target.limits;
  const needed = formatAmount(centsOf(withdrawAtMost) + cents);
  const tried = permitted ? ` A withdrawal of ${permitted.amount} returns ${permitted.response.status}.` : '';
  throw new Blocked(
    WITHDRAW_AT_MOST,
    `${describeDoubt(rejection)} limits.withdrawAtMost is ${withdrawAtMost}.${tried} ` +
      `Raise limits.withdrawAtMost to "${needed}", and the kit withdraws ${formatAmount(cents)}: a server with a lower maximum rejects it and keeps the money, any other server pays it`,
  );
}

function describeDoubt(rejection: ApiResponse): string {
  return `a withdrawal beyond the funds is rejected with a code other than TREAS007 (${describeResponse(rejection)}), which is correct if the server has a maximum per withdrawal; the kit cannot tell, because`;
}
