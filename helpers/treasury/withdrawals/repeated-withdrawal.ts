import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { ActExtra } from '../../api/operations.ts';
import { treasury, withdrawTogether } from '../../api/operations.ts';
import { describeResponse, isSuccess } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import { persistently } from '../../assert/repeat-experiment.ts';
import type { Lab } from '../../context/check-context.ts';
import { sharedExperiment } from '../../context/shared-experiment.ts';
import type { AlikeRequestIds } from '../../data/similar-request-ids.ts';
import { alikeRequestIds } from '../../data/similar-request-ids.ts';
import type { Sum } from '../../data/withdrawal-amounts.ts';
import { ownSum } from '../../data/withdrawal-amounts.ts';
import { expectOriginal, isRemembered } from '../../idempotency/replay.ts';
import type { Lowered } from '../balances/balance.ts';
import { afterEffectMs, amountsOf, placeLoweredBy, SHOWS_WITHIN_MS } from '../balances/balance.ts';

/** Withdrawals that arrive at the same moment. */
export const VOLLEY = 20;

/** An accepted withdrawal, and how to ask for it again. */
export interface Replayable {
  first: ApiResponse;
  again: (lab: Lab, more?: ActExtra) => Promise<ApiResponse>;
}

export interface Repeated extends Replayable {
  ids: AlikeRequestIds;
  sum: Sum;
}

/**
 * A withdrawal that was asked for many times at the same moment, once more, and with another sum: each answer was the original one,
 * and the balance was lowered once. Null where anything was otherwise; not to be asked for by who has the funds to itself.
 */
export async function repeatedWithdrawal(lab: Lab): Promise<Repeated | null> {
  const { treasuryBalance, treasuryWithdraw } = lab.target.operations;
  if (!treasuryBalance || !treasuryWithdraw) return null;
  const repeated = await sharedExperiment(lab, 'repeated withdrawal', () =>
    lab.run.funds.quietFor(lab.asking.id, () => withdrawRepeatedly(lab)),
  );
  if (repeated) lab.shares([repeated.first]);
  return repeated;
}

async function withdrawRepeatedly(lab: Lab): Promise<Repeated | null> {
  const [sum, otherSum] = [ownSum(lab, 'repeated'), ownSum(lab, 'repeated, other')];
  const before = await treasury(lab, 'treasuryBalance');
  lab.observe('treasury-balance-answer', before.status);
  const together = await acceptedVolley(lab, sum);
  if (!together) return null;
  const { ids, answers, startedAt } = together;
  const [first] = answers;
  const fell = await placeLoweredBy(lab, amountsOf(before), sum.cents, SHOWS_WITHIN_MS, { least: 1, most: VOLLEY });
  if (fell?.times !== 1 || !first) return null;
  const within = afterEffectMs(performance.now() - startedAt);
  const { requestId } = ids;
  const again = (asking: Lab, more: ActExtra = {}) =>
    treasury(asking, 'treasuryWithdraw', { requestId, ...more }, sum.text);
  for (const answer of answers) expectOriginal(lab, first, answer);
  expectOriginal(lab, first, await again(lab));
  await treasury(lab, 'treasuryWithdraw', { requestId }, otherSum.text);
  expectOriginal(lab, first, await again(lab));
  return (await movesAgain(lab, fell, otherSum, within)) ? null : { ids, sum, first, again };
}

/** Of the longest requestId that the server takes; null where it takes none. */
async function acceptedVolley(lab: Lab, { text }: Sum) {
  for (const ids of alikeRequestIds(lab.requestId())) {
    const startedAt = performance.now();
    const answers = await withdrawTogether(lab, ids.requestId, text, VOLLEY);
    if (answers.some(isSuccess)) return { ids, answers: answers.filter(isSuccess), startedAt };
    if (!answers.some(({ status }) => status === 400)) return null;
  }
  return null;
}

/** Whether what fell moves once more, or any number falls by the other sum. */
async function movesAgain(lab: Lab, { place, answer }: Lowered, otherSum: Sum, withinMs: number): Promise<boolean> {
  const then = amountsOf(answer);
  const look = async () => {
    const now = amountsOf(await treasury(lab, 'treasuryBalance'));
    const falls = [...now].some(([each, cents]) => (then.get(each) ?? cents) - cents === otherSum.cents);
    return falls || now.get(place) !== then.get(place);
  };
  return await pollUntil(lab, look, (moved) => moved, withinMs);
}

/** A withdrawal of the longest requestId that is taken here. Throws NotApplicable where none is. */
export async function withdrawalWithSimilarIds(lab: Lab): Promise<Like> {
  const repeated = await repeatedWithdrawal(lab);
  if (repeated && isRemembered(repeated.first))
    return { ...repeated.ids, first: repeated.first, sum: repeated.sum.text };
  const sum = ownSum(lab, 'repeated').text;
  let refusal: ApiResponse | null = null;
  for (const ids of alikeRequestIds(lab.requestId())) {
    const first = await treasury(lab, 'treasuryWithdraw', { requestId: ids.requestId }, sum);
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
export async function repeatExclusively(lab: Lab, experiment: (tries: number) => Promise<void>): Promise<void> {
  await persistently(lab, ({ number }) => lab.run.funds.quietFor(lab.asking.id, () => experiment(number)));
}

export interface Like extends AlikeRequestIds {
  first: ApiResponse;
  sum: string;
}
