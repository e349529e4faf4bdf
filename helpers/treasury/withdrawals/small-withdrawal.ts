import type { ApiResponse } from '../../../engine/model/messages.ts';
import { sandboxHeader } from '../../api/environment-header.ts';
import { canHaveRequestId, sendTreasuryRequest } from '../../api/operations.ts';
import { isSuccess } from '../../api/responses.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { runSharedExperiment } from '../../context/shared-experiment.ts';
import { isRemembered } from '../../idempotency/replay.ts';

/** So little that nobody looks at it twice. */
export const SMALL_WITHDRAWAL_AMOUNT = '0.30';

interface ReplayableExchange {
  requestId: string;
  response: ApiResponse;
}

export interface SmallWithdrawal extends ReplayableExchange {
  /** The balance before it, asked for with a createRequestId; null where that takes none. */
  balance: ReplayableExchange | null;
}

/** A small withdrawal that names the key's own environment, for all who need one; null where none is accepted, or it may be forgotten by now. */
export async function smallWithdrawal(ctx: CheckContext): Promise<SmallWithdrawal | null> {
  const small = await runSharedExperiment(ctx, 'small withdrawal', () => withdrawSmallAmount(ctx));
  if (!small || !isRemembered(small.response)) return null;
  ctx.addEvidence([small.response]);
  return small;
}

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
