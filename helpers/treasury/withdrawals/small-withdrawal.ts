import type { ApiResponse } from '../../../engine/model/messages.ts';
import { sandboxHeader } from '../../api/environment-header.ts';
import { canHaveRequestId } from '../../api/requests.ts';
import { isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedExperiment } from '../../context/shared-result.ts';
import { centsOf } from '../../data/amounts.ts';
import { raiseWithdrawals, smallWithdrawalAmount } from '../../data/withdrawal-amounts.ts';
import { isRemembered } from '../../idempotency/replay.ts';

/** What the amounts of the run are raised by until the server accepts one, in cents. */
const RAISES = [0, 10_00, 100_00];
/** A server may reject an amount that is too small with one of these. */
const AMOUNT_REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 409, 412, 422]);
/** The run withdraws several times, so that one withdrawal may take this part of `limits.withdrawAtMost`. */
const MAX_SHARE = 1 / 5;

interface ReplayableExchange {
  requestId: string;
  response: ApiResponse;
}

export interface SmallWithdrawal extends ReplayableExchange {
  /** The earlier balance response with a requestId; null if the operation takes none. */
  balance: ReplayableExchange | null;
}

/**
 * A small withdrawal with the environment header, shared by all checks; null if the server accepts none or may have
 * forgotten it.
 */
export async function smallWithdrawal(ctx: CheckContext): Promise<SmallWithdrawal | null> {
  const small = await smallExperiment(ctx);
  if (!small || !isRemembered(small.response)) return null;
  ctx.addEvidence([small.response]);
  return small;
}

const smallExperiment = sharedExperiment(withdrawSmallAmount);

async function withdrawSmallAmount(ctx: CheckContext): Promise<SmallWithdrawal | null> {
  const balance = canHaveRequestId(ctx, 'treasuryBalance') ? await readReplayableBalance(ctx) : null;
  const most = MAX_SHARE * centsOf(ctx.target.limits.withdrawAtMost);
  for (const cents of RAISES.filter((each) => each === 0 || each <= most)) {
    raiseWithdrawals(ctx.run, cents);
    const requestId = ctx.createRequestId();
    const extra = { requestId, headers: sandboxHeader };
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, smallWithdrawalAmount(ctx));
    if (isSuccess(response)) return { requestId, response, balance };
    if (!AMOUNT_REJECTION_STATUSES.has(response.status)) break;
  }
  raiseWithdrawals(ctx.run, 0);
  return null;
}

async function readReplayableBalance(ctx: CheckContext): Promise<ReplayableExchange | null> {
  const requestId = ctx.createRequestId();
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { requestId });
  return isSuccess(response) ? { requestId, response: response } : null;
}
