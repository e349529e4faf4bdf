import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { ActionOptions } from '../../api/operations.ts';
import { sendTreasuryRequest, withdrawSimultaneously } from '../../api/operations.ts';
import { describeResponse, isSuccess } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import { confirmBreach } from '../../assert/repeat-experiment.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { runSharedExperiment } from '../../context/shared-experiment.ts';
import type { SimilarRequestIds } from '../../data/similar-request-ids.ts';
import { similarRequestIds } from '../../data/similar-request-ids.ts';
import type { WithdrawalAmount } from '../../data/withdrawal-amounts.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { expectOriginalResponse, isRemembered } from '../../idempotency/replay.ts';
import type { LoweredAmount } from '../balances/balance.ts';
import { centsByPlace, MAX_BALANCE_LAG_MS, secondEffectWaitMs, waitForLoweredAmount } from '../balances/balance.ts';

/** Withdrawals that arrive at the same moment. */
export const WITHDRAWAL_VOLLEY_SIZE = 20;

/** An accepted withdrawal, and how to ask for it again. */
export interface ReplayableWithdrawal {
  first: ApiResponse;
  replay: (lab: CheckContext, more?: ActionOptions) => Promise<ApiResponse>;
}

export interface RepeatedWithdrawal extends ReplayableWithdrawal {
  ids: SimilarRequestIds;
  sum: WithdrawalAmount;
}

/**
 * A withdrawal that was asked for many times at the same moment, once more, and with another sum: each answer was the original one,
 * and the balance was lowered once. Null where anything was otherwise; not to be asked for by who has the funds to itself.
 */
export async function repeatedWithdrawal(lab: CheckContext): Promise<RepeatedWithdrawal | null> {
  const { treasuryBalance, treasuryWithdraw } = lab.target.operations;
  if (!treasuryBalance || !treasuryWithdraw) return null;
  const repeated = await runSharedExperiment(lab, 'repeated withdrawal', () =>
    lab.run.balanceLock.exclusive(lab.execution.id, () => withdrawRepeatedly(lab)),
  );
  if (repeated) lab.addEvidence([repeated.first]);
  return repeated;
}

async function withdrawRepeatedly(lab: CheckContext): Promise<RepeatedWithdrawal | null> {
  const [sum, otherSum] = [withdrawalAmountFor(lab, 'repeated'), withdrawalAmountFor(lab, 'repeated, other')];
  const before = await sendTreasuryRequest(lab, 'treasuryBalance');
  lab.observe('treasury-balance-answer', before.status);
  const together = await sendAcceptedVolley(lab, sum);
  if (!together) return null;
  const { ids, answers, startedAt } = together;
  const [first] = answers;
  const fell = await waitForLoweredAmount(lab, centsByPlace(before), sum.cents, MAX_BALANCE_LAG_MS, {
    least: 1,
    most: WITHDRAWAL_VOLLEY_SIZE,
  });
  if (fell?.times !== 1 || !first) return null;
  const within = secondEffectWaitMs(performance.now() - startedAt);
  const { requestId } = ids;
  const again = (asking: CheckContext, more: ActionOptions = {}) =>
    sendTreasuryRequest(asking, 'treasuryWithdraw', { requestId, ...more }, sum.text);
  for (const answer of answers) expectOriginalResponse(lab, first, answer);
  expectOriginalResponse(lab, first, await again(lab));
  await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, otherSum.text);
  expectOriginalResponse(lab, first, await again(lab));
  return (await hasSecondEffect(lab, fell, otherSum, within)) ? null : { ids, sum, first, replay: again };
}

/** Of the longest createRequestId that the server takes; null where it takes none. */
async function sendAcceptedVolley(lab: CheckContext, { text }: WithdrawalAmount) {
  for (const ids of similarRequestIds(lab.createRequestId())) {
    const startedAt = performance.now();
    const answers = await withdrawSimultaneously(lab, ids.requestId, text, WITHDRAWAL_VOLLEY_SIZE);
    if (answers.some(isSuccess)) return { ids, answers: answers.filter(isSuccess), startedAt };
    if (!answers.some(({ status }) => status === 400)) return null;
  }
  return null;
}

/** Whether what fell moves once more, or any number falls by the other sum. */
async function hasSecondEffect(
  lab: CheckContext,
  { place, response: answer }: LoweredAmount,
  otherSum: WithdrawalAmount,
  withinMs: number,
): Promise<boolean> {
  const then = centsByPlace(answer);
  const look = async () => {
    const now = centsByPlace(await sendTreasuryRequest(lab, 'treasuryBalance'));
    const falls = [...now].some(([each, cents]) => (then.get(each) ?? cents) - cents === otherSum.cents);
    return falls || now.get(place) !== then.get(place);
  };
  return await pollUntil(lab, look, (moved) => moved, withinMs);
}

/** A withdrawal of the longest createRequestId that is taken here. Throws NotApplicable where none is. */
export async function withdrawalWithSimilarIds(lab: CheckContext): Promise<SimilarIdWithdrawal> {
  const repeated = await repeatedWithdrawal(lab);
  if (repeated && isRemembered(repeated.first))
    return { ...repeated.ids, first: repeated.first, sum: repeated.sum.text };
  const sum = withdrawalAmountFor(lab, 'repeated').text;
  let refusal: ApiResponse | null = null;
  for (const ids of similarRequestIds(lab.createRequestId())) {
    const first = await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId: ids.requestId }, sum);
    if (isSuccess(first)) return { ...ids, first, sum };
    refusal = first;
  }
  return notApplicable(`a withdrawal is refused: ${refusal ? describeResponse(refusal) : ''}`);
}

/** Whether the answer tells the sum of its withdrawal: nothing else tells one from another. Throws NotApplicable where it does not. */
export function skipUnlessAmountShown(answer: ApiResponse, sum: string): void {
  if (!answer.text.includes(sum)) notApplicable('the answer does not tell the sum that was withdrawn');
}

/** Tried again, with other sums: others may move a balance by the same sum, but hardly every time. */
export async function repeatExclusively(
  lab: CheckContext,
  experiment: (tries: number) => Promise<void>,
): Promise<void> {
  await confirmBreach(lab, ({ number }) => lab.run.balanceLock.exclusive(lab.execution.id, () => experiment(number)));
}

export interface SimilarIdWithdrawal extends SimilarRequestIds {
  first: ApiResponse;
  sum: string;
}
