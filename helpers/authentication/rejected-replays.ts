import type { RequestOptions } from '../api/operations.ts';
import { canHaveRequestId, sendTreasuryRequest } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { withdrawalAmountFor } from '../data/withdrawal-amounts.ts';
import type { ReplayableSubmission } from '../idempotency/replayable-submission.ts';
import { submitWithRequestId } from '../idempotency/replayable-submission.ts';
import { repeatedWithdrawal } from '../treasury/withdrawals/repeated-withdrawal.ts';

/** The submission that is only asked for again. */
export const replayedSubmission = (lab: CheckContext): Promise<ReplayableSubmission> =>
  lab.run.memoize('submission replayed at gates', () => submitWithRequestId(lab));

/** What was answered once: a submission, and of the treasury what accepts a createRequestId here. */
async function replayableRequests(lab: CheckContext): Promise<ReplayRequest[]> {
  const { replay: again } = await replayedSubmission(lab);
  return [again, ...(await replayableTreasuryRequests(lab))];
}

async function replayableTreasuryRequests(lab: CheckContext): Promise<ReplayRequest[]> {
  return await lab.run.memoize('treasury replayed at gates', async () => {
    const { text } = withdrawalAmountFor(lab, 'replayed at gates');
    const asked = TREASURY_OPERATIONS.filter((operation) => canHaveRequestId(lab, operation)).map(async (operation) => {
      const repeated = operation === 'treasuryWithdraw' ? await repeatedWithdrawal(lab) : null;
      if (repeated) return [repeated.replay];
      const requestId = lab.createRequestId();
      const again: ReplayRequest = (asking, extra) =>
        sendTreasuryRequest(asking, operation, { ...extra, requestId }, text);
      return isSuccess(await again(lab)) ? [again] : [];
    });
    return (await Promise.all(asked)).flat();
  });
}

/** Asks for it again in ways that must not get it. */
export async function forEachReplay(
  lab: CheckContext,
  extras: readonly RequestOptions[],
  judge: (answer: ApiResponse) => void,
): Promise<void> {
  for (const again of await replayableRequests(lab)) {
    for (const extra of extras) judge(await again(lab, extra));
  }
}

const TREASURY_OPERATIONS = ['treasuryWithdraw', 'treasuryBalance'] as const;

type ReplayRequest = ReplayableSubmission['replay'];
