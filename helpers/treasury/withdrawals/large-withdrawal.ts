import type { ApiResponse } from '../../../engine/model/messages.ts';
import { canHaveRequestId, sendTreasuryRequest } from '../../api/operations.ts';
import { isSuccess } from '../../api/responses.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { runSharedExperiment } from '../../context/shared-experiment.ts';
import { formatAmount } from '../../data/amounts.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { affordableLargeCents } from '../balances/balance.ts';

export const EXCESSIVE_AMOUNT = '9999999999999.99';

export interface LargeWithdrawal {
  first: ApiResponse;
  /** The answer to the same request, sent at once. */
  replayed: ApiResponse;
}

/** The sum of a large withdrawal; null where there are no funds for one. */
export async function affordableLargeAmount(lab: CheckContext): Promise<string | null> {
  const large = affordableLargeCents(lab, await sendTreasuryRequest(lab, 'treasuryBalance'));
  return large === null ? null : formatAmount(large + withdrawalAmountFor(lab, 'large').cents);
}

/** A large withdrawal whose createRequestId was refused before; null where none is accepted. */
export async function largeWithdrawal(lab: CheckContext): Promise<LargeWithdrawal | null> {
  if (!lab.target.operations.treasuryBalance || !canHaveRequestId(lab, 'treasuryWithdraw')) return null;
  const large = await runSharedExperiment(lab, 'large withdrawal', () => withdrawAfterRejection(lab));
  if (large) lab.addEvidence([large.first, large.replayed]);
  return large;
}

async function withdrawAfterRejection(lab: CheckContext): Promise<LargeWithdrawal | null> {
  const sum = await affordableLargeAmount(lab);
  if (sum === null) return null;
  const requestId = lab.createRequestId();
  const refusal = await sendTreasuryRequest(
    lab,
    'treasuryWithdraw',
    { requestId, exceedsFunds: true },
    EXCESSIVE_AMOUNT,
  );
  if (isSuccess(refusal)) return null;
  const first = await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, sum);
  if (!isSuccess(first)) return null;
  return { first, replayed: await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, sum) };
}
