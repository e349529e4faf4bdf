import type { ApiResponse } from '../../../engine/model/messages.ts';
import { ownEnvironment } from '../../api/environment-header.ts';
import { takesRequestId, treasury } from '../../api/operations.ts';
import { isSuccess } from '../../api/responses.ts';
import type { Lab } from '../../context/check-context.ts';
import { sharedExperiment } from '../../context/shared-experiment.ts';
import { isRemembered } from '../../idempotency/replay.ts';

/** So little that nobody looks at it twice. */
export const SMALL_SUM = '0.30';

interface Asked {
  requestId: string;
  answer: ApiResponse;
}

export interface SmallWithdrawal extends Asked {
  /** The balance before it, asked for with a requestId; null where that takes none. */
  balance: Asked | null;
}

/** A small withdrawal that names the key's own environment, for all who need one; null where none is accepted, or it may be forgotten by now. */
export async function smallWithdrawal(lab: Lab): Promise<SmallWithdrawal | null> {
  const small = await sharedExperiment(lab, 'small withdrawal', () => withdrawLittle(lab));
  if (!small || !isRemembered(small.answer)) return null;
  lab.shares([small.answer]);
  return small;
}

async function withdrawLittle(lab: Lab): Promise<SmallWithdrawal | null> {
  const balance = takesRequestId(lab, 'treasuryBalance') ? await balanceToReplay(lab) : null;
  const requestId = lab.requestId();
  const answer = await treasury(lab, 'treasuryWithdraw', { requestId, headers: ownEnvironment }, SMALL_SUM);
  return isSuccess(answer) ? { requestId, answer, balance } : null;
}

async function balanceToReplay(lab: Lab): Promise<Asked | null> {
  const requestId = lab.requestId();
  const answer = await treasury(lab, 'treasuryBalance', { requestId });
  return isSuccess(answer) ? { requestId, answer } : null;
}
