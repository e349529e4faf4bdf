import type { ApiResponse } from '../../../engine/model/messages.ts';
import { takesRequestId, treasury } from '../../api/operations.ts';
import { isSuccess } from '../../api/responses.ts';
import type { Lab } from '../../context/check-context.ts';
import { sharedExperiment } from '../../context/shared-experiment.ts';
import { asAmount } from '../../data/amounts.ts';
import { ownSum } from '../../data/withdrawal-amounts.ts';
import { largeSumWithin } from '../balances/balance.ts';

export const BEYOND_ANY_FUNDS = '9999999999999.99';

export interface LargeWithdrawal {
  first: ApiResponse;
  /** The answer to the same request, sent at once. */
  replayed: ApiResponse;
}

/** The sum of a large withdrawal; null where there are no funds for one. */
export async function largeSum(lab: Lab): Promise<string | null> {
  const large = largeSumWithin(lab, await treasury(lab, 'treasuryBalance'));
  return large === null ? null : asAmount(large + ownSum(lab, 'large').cents);
}

/** A large withdrawal whose requestId was refused before; null where none is accepted. */
export async function largeWithdrawal(lab: Lab): Promise<LargeWithdrawal | null> {
  if (!lab.target.operations.treasuryBalance || !takesRequestId(lab, 'treasuryWithdraw')) return null;
  const large = await sharedExperiment(lab, 'large withdrawal', () => withdrawAfterRefusal(lab));
  if (large) lab.shares([large.first, large.replayed]);
  return large;
}

async function withdrawAfterRefusal(lab: Lab): Promise<LargeWithdrawal | null> {
  const sum = await largeSum(lab);
  if (sum === null) return null;
  const requestId = lab.requestId();
  const refusal = await treasury(lab, 'treasuryWithdraw', { requestId, beyondFunds: true }, BEYOND_ANY_FUNDS);
  if (isSuccess(refusal)) return null;
  const first = await treasury(lab, 'treasuryWithdraw', { requestId }, sum);
  if (!isSuccess(first)) return null;
  return { first, replayed: await treasury(lab, 'treasuryWithdraw', { requestId }, sum) };
}
