import type { ApiResponse } from '../../../engine/model/messages.ts';
import { canHaveRequestId } from '../../api/requests.ts';
import { isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedExperiment } from '../../context/shared-result.ts';
import { formatAmount } from '../../data/amounts.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { affordableLargeCents } from '../balances/balance.ts';

export const EXCESSIVE_AMOUNT = '9999999999999.99';

export interface LargeWithdrawal {
  first: ApiResponse;
  /** The response to an immediate replay. */
  replayed: ApiResponse;
}

/** The amount of a large withdrawal; null if the balance does not cover one. */
export async function affordableLargeAmount(ctx: CheckContext): Promise<string | null> {
  const large = affordableLargeCents(ctx, await sendTreasuryRequest(ctx, 'treasuryBalance'));
  return large === null ? null : formatAmount(large + withdrawalAmountFor(ctx, 'large').cents);
}

/** A large withdrawal with a requestId that was rejected before; null if the server accepts none. */
export async function largeWithdrawal(ctx: CheckContext): Promise<LargeWithdrawal | null> {
  if (!ctx.target.operations.treasuryBalance || !canHaveRequestId(ctx, 'treasuryWithdraw')) return null;
  const large = await largeExperiment(ctx);
  if (large) ctx.addEvidence([large.first, large.replayed]);
  return large;
}

const largeExperiment = sharedExperiment(withdrawAfterRejection);

async function withdrawAfterRejection(ctx: CheckContext): Promise<LargeWithdrawal | null> {
  const sum = await affordableLargeAmount(ctx);
  if (sum === null) return null;
  const requestId = ctx.createRequestId();
  const rejection = await sendTreasuryRequest(
    ctx,
    'treasuryWithdraw',
    { requestId, exceedsFunds: true },
    EXCESSIVE_AMOUNT,
  );
  if (isSuccess(rejection)) return null;
  const first = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, sum);
  if (!isSuccess(first)) return null;
  return { first, replayed: await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, sum) };
}
