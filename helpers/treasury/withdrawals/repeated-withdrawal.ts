import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { ActionOptions } from '../../api/requests.ts';
import { describeResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest, withdrawSimultaneously } from '../../api/treasury-requests.ts';
import { confirmBreach, FOREIGN_PAYMENT } from '../../assert/confirm-breach.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedExperiment } from '../../context/shared-result.ts';
import { type SimilarRequestIds, similarRequestIds } from '../../data/similar-request-ids.ts';
import { type WithdrawalAmount, withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { expectOriginalResponse, isRemembered } from '../../idempotency/replay.ts';
import {
  afterEarlierPayments,
  balanceLagMs,
  centsByPlace,
  type LoweredAmount,
  readQuietBalance,
  secondEffectWaitMs,
  waitForWithdrawal,
} from '../balances/balance.ts';

/** The number of concurrent withdrawals. */
export const SIMULTANEOUS_WITHDRAWALS = 8;

/** An accepted withdrawal and its replay. */
export interface ReplayableWithdrawal {
  first: ApiResponse;
  replay: (ctx: CheckContext, more?: ActionOptions) => Promise<ApiResponse>;
}

export interface RepeatedWithdrawal extends ReplayableWithdrawal {
  ids: SimilarRequestIds;
  sum: WithdrawalAmount;
}

/**
 * A withdrawal that was sent concurrently, replayed, and replayed with another amount: every response was the original one, and
 * the balance fell once. Null for any other result. Do not call it with the balance lock held.
 */
export async function repeatedWithdrawal(ctx: CheckContext): Promise<RepeatedWithdrawal | null> {
  const { treasuryBalance, treasuryWithdraw } = ctx.target.operations;
  if (!treasuryBalance || !treasuryWithdraw) return null;
  const repeated = await repeatedExperiment(ctx);
  if (repeated) ctx.addEvidence([repeated.first]);
  return repeated;
}

const repeatedExperiment = sharedExperiment((ctx) => afterEarlierPayments(ctx, () => withdrawRepeatedly(ctx)));

async function withdrawRepeatedly(ctx: CheckContext): Promise<RepeatedWithdrawal | null> {
  const [sum, otherSum] = [withdrawalAmountFor(ctx, 'repeated'), withdrawalAmountFor(ctx, 'repeated, other')];
  const before = await readQuietBalance(ctx);
  ctx.observe('treasury-balance-response', before.status);
  const together = await withdrawAcceptedSimultaneously(ctx, sum);
  if (!together) return null;
  const { ids, answers: responses, startedAt } = together;
  const [first] = responses;
  const fell = await waitForWithdrawal(ctx, centsByPlace(before), sum.cents, {
    least: 1,
    most: SIMULTANEOUS_WITHDRAWALS,
  });
  if (fell?.times !== 1 || !first) return null;
  const within = secondEffectWaitMs(performance.now() - startedAt, balanceLagMs(ctx));
  const { requestId } = ids;
  const again = (inner: CheckContext, more: ActionOptions = {}) =>
    sendTreasuryRequest(inner, 'treasuryWithdraw', { requestId, ...more }, sum.text);
  for (const response of responses) expectOriginalResponse(ctx, first, response);
  expectOriginalResponse(ctx, first, await again(ctx));
  await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, otherSum.text);
  expectOriginalResponse(ctx, first, await again(ctx));
  return (await hasSecondEffect(ctx, fell, otherSum, within)) ? null : { ids, sum, first, replay: again };
}

/** Sends the withdrawals with the longest requestId that the server accepts; null if it accepts none. */
async function withdrawAcceptedSimultaneously(ctx: CheckContext, { text }: WithdrawalAmount) {
  for (const ids of similarRequestIds(ctx.createRequestId())) {
    const startedAt = performance.now();
    const responses = await withdrawSimultaneously(ctx, ids.requestId, text, SIMULTANEOUS_WITHDRAWALS);
    if (responses.some(isSuccess)) return { ids, answers: responses.filter(isSuccess), startedAt };
    if (!responses.some(({ status }) => status === 400)) return null;
  }
  return null;
}

/** Whether the lowered number changes again, or any number falls by the other amount. */
async function hasSecondEffect(
  ctx: CheckContext,
  { place, response }: LoweredAmount,
  otherSum: WithdrawalAmount,
  withinMs: number,
): Promise<boolean> {
  const then = centsByPlace(response);
  const hasMoved = async () => {
    const now = centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance'));
    const falls = [...now].some(([each, cents]) => (then.get(each) ?? cents) - cents === otherSum.cents);
    return falls || now.get(place) !== then.get(place);
  };
  return await pollUntil(ctx, hasMoved, (moved) => moved, withinMs);
}

/** A withdrawal with the longest requestId that the server accepts. Throws NotApplicable if it accepts none. */
export async function withdrawalWithSimilarIds(ctx: CheckContext): Promise<SimilarIdWithdrawal> {
  const repeated = await repeatedWithdrawal(ctx);
  if (repeated && isRemembered(repeated.first))
    return { ...repeated.ids, first: repeated.first, sum: repeated.sum.text };
  const sum = withdrawalAmountFor(ctx, 'repeated').text;
  let rejection: ApiResponse | null = null;
  for (const ids of similarRequestIds(ctx.createRequestId())) {
    const first = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId: ids.requestId }, sum);
    if (isSuccess(first)) return { ...ids, first, sum };
    rejection = first;
  }
  return notApplicable(
    `the server rejects a withdrawal of ${sum}${rejection ? `: ${describeResponse(rejection)}` : ''}`,
  );
}

/** Throws NotApplicable if the response does not show the amount, because nothing else distinguishes two withdrawals. */
export function skipUnlessAmountShown(response: ApiResponse, sum: string): void {
  if (!response.text.includes(sum)) notApplicable('the response does not show the withdrawn amount');
}

/** Repeats the experiment with other amounts, because a foreign payment may have the same amount once but not in every round. */
export async function repeatExclusively(
  ctx: CheckContext,
  experiment: (tries: number) => Promise<void>,
): Promise<void> {
  await confirmBreach(ctx, FOREIGN_PAYMENT, ({ number }) => afterEarlierPayments(ctx, () => experiment(number)));
}

export interface SimilarIdWithdrawal extends SimilarRequestIds {
  first: ApiResponse;
  sum: string;
}
