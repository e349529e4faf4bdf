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
export async function smallWithdrawal(lab: CheckContext): Promise<SmallWithdrawal | null> {
  const small = await runSharedExperiment(lab, 'small withdrawal', () => withdrawSmallAmount(lab));
  if (!small || !isRemembered(small.response)) return null;
  lab.addEvidence([small.response]);
  return small;
}

async function withdrawSmallAmount(lab: CheckContext): Promise<SmallWithdrawal | null> {
  const balance = canHaveRequestId(lab, 'treasuryBalance') ? await readReplayableBalance(lab) : null;
  const requestId = lab.createRequestId();
  const answer = await sendTreasuryRequest(
    lab,
    'treasuryWithdraw',
    { requestId, headers: sandboxHeader },
    SMALL_WITHDRAWAL_AMOUNT,
  );
  return isSuccess(answer) ? { requestId, response: answer, balance } : null;
}

async function readReplayableBalance(lab: CheckContext): Promise<ReplayableExchange | null> {
  const requestId = lab.createRequestId();
  const answer = await sendTreasuryRequest(lab, 'treasuryBalance', { requestId });
  return isSuccess(answer) ? { requestId, response: answer } : null;
}
