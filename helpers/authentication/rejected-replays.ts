import type { Extra } from '../api/operations.ts';
import { takesRequestId, treasury } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { ownSum } from '../data/withdrawal-amounts.ts';
import type { Submission } from '../idempotency/replayable-submission.ts';
import { submitted } from '../idempotency/replayable-submission.ts';
import { repeatedWithdrawal } from '../treasury/withdrawals/repeated-withdrawal.ts';

/** The submission that is only asked for again. */
export const replayedSubmission = (lab: Lab): Promise<Submission> =>
  lab.run.once('submission replayed at gates', () => submitted(lab));

/** What was answered once: a submission, and of the treasury what accepts a requestId here. */
async function replayableRequests(lab: Lab): Promise<Again[]> {
  const { again } = await replayedSubmission(lab);
  return [again, ...(await replayableTreasuryRequests(lab))];
}

async function replayableTreasuryRequests(lab: Lab): Promise<Again[]> {
  return await lab.run.once('treasury replayed at gates', async () => {
    const { text } = ownSum(lab, 'replayed at gates');
    const asked = TREASURY_OPERATIONS.filter((operation) => takesRequestId(lab, operation)).map(async (operation) => {
      const repeated = operation === 'treasuryWithdraw' ? await repeatedWithdrawal(lab) : null;
      if (repeated) return [repeated.again];
      const requestId = lab.requestId();
      const again: Again = (asking, extra) => treasury(asking, operation, { ...extra, requestId }, text);
      return isSuccess(await again(lab)) ? [again] : [];
    });
    return (await Promise.all(asked)).flat();
  });
}

/** Asks for it again in ways that must not get it. */
export async function expectEachReplay(
  lab: Lab,
  extras: readonly Extra[],
  judge: (answer: ApiResponse) => void,
): Promise<void> {
  for (const again of await replayableRequests(lab)) {
    for (const extra of extras) judge(await again(lab, extra));
  }
}

const TREASURY_OPERATIONS = ['treasuryWithdraw', 'treasuryBalance'] as const;

type Again = Submission['again'];
