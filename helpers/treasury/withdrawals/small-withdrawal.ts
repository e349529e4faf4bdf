import type { ApiResponse } from '../../../engine/model/messages.ts';
import { sandboxHeader } from '../../api/environment-header.ts';
import { canHaveRequestId } from '../../api/requests.ts';
import { isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { sharedExperiment } from '../../context/shared-experiment.ts';
import { isRemembered } from '../../idempotency/replay.ts';

/** Below common thresholds for payment checks. */
export const SMALL_WITHDRAWAL_AMOUNT = '0.30';

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
  const requestId = ctx.createRequestId();
  const response = await sendTreasuryRequest(
    ctx,
    'treasuryWithdraw',
    { requestId, headers: sandboxHeader },
    SMALL_WITHDRAWAL_AMOUNT,
  );
  return isSuccess(response) ? { requestId, response: response, balance } : null;
}

async function readReplayableBalance(ctx: CheckContext): Promise<ReplayableExchange | null> {
  const requestId = ctx.createRequestId();
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { requestId });
  return isSuccess(response) ? { requestId, response: response } : null;
}
