import { canHaveRequestId, type RequestOptions } from '../api/requests.ts';
import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { sendTreasuryRequest } from '../api/treasury-requests.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { withdrawalAmountFor } from '../data/withdrawal-amounts.ts';
import { type ReplayableSubmission, submitWithRequestId } from '../idempotency/replayable-submission.ts';
import { repeatedWithdrawal } from '../treasury/withdrawals/repeated-withdrawal.ts';

/** The accepted submission whose replays must be rejected. */
export const replayedSubmission = sharedResult((ctx): Promise<ReplayableSubmission> => submitWithRequestId(ctx));

/** Accepted requests to replay: a submission, and the treasury operations that take a requestId. */
async function replayableRequests(ctx: CheckContext): Promise<ReplayRequest[]> {
  const { replay } = await replayedSubmission(ctx);
  return [replay, ...(await replayableTreasuryRequests(ctx))];
}

const replayableTreasuryRequests = sharedResult(async (ctx): Promise<ReplayRequest[]> => {
  const { text } = withdrawalAmountFor(ctx, 'replayed at gates');
  const requests = TREASURY_OPERATIONS.filter((operation) => canHaveRequestId(ctx, operation)).map(
    async (operation) => {
      const repeated = operation === 'treasuryWithdraw' ? await repeatedWithdrawal(ctx) : null;
      if (repeated) return [repeated.replay];
      const requestId = ctx.createRequestId();
      const again: ReplayRequest = (inner, extra) =>
        sendTreasuryRequest(inner, operation, { ...extra, requestId }, text);
      return isSuccess(await again(ctx)) ? [again] : [];
    },
  );
  return (await Promise.all(requests)).flat();
});

/** Replays each request with each of the options and applies the rule to the response. */
export async function forEachReplay(
  ctx: CheckContext,
  extras: readonly RequestOptions[],
  rule: (response: ApiResponse) => void,
): Promise<void> {
  for (const again of await replayableRequests(ctx)) {
    for (const extra of extras) rule(await again(ctx, extra));
  }
}

const TREASURY_OPERATIONS = ['treasuryWithdraw', 'treasuryBalance'] as const;

type ReplayRequest = ReplayableSubmission['replay'];
