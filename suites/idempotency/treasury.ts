import { isDeepStrictEqual } from 'node:util';
import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import type { ActExtra } from '../../helpers/api/operations.ts';
import { takesRequestId, treasury, withdrawTogether } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectAccepted } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import type { Sum } from '../../helpers/data/withdrawal-amounts.ts';
import { ownSum } from '../../helpers/data/withdrawal-amounts.ts';
import { expectOriginal, expectRemembered, isRemembered } from '../../helpers/idempotency/replay.ts';
import { operationsTo, whereReachable } from '../../helpers/invoices/invoices.ts';
import { afterEffectMs, amountsOf, placeLoweredBy, SHOWS_WITHIN_MS } from '../../helpers/treasury/balances/balance.ts';
import { largeSum, largeWithdrawal } from '../../helpers/treasury/withdrawals/large-withdrawal.ts';
import type { Replayable } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import {
  repeatExclusively,
  repeatedWithdrawal,
  VOLLEY,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { SMALL_SUM, smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { endUnseen } from '../../helpers/treasury/withdrawals/unseen-withdrawal.ts';
import { nextSettlement } from '../../helpers/webhooks/announced-settlement.ts';

const WITHDRAWAL_TRIES = 3;

async function withdrawn(lab: Lab, amount: string): Promise<Replayable> {
  for (let tries = 1; ; tries += 1) {
    const extra = { requestId: lab.requestId() };
    const first = await treasury(lab, 'treasuryWithdraw', extra, amount);
    if (isSuccess(first)) {
      return {
        first,
        again: (replaying: Lab, more: ActExtra = {}) =>
          treasury(replaying, 'treasuryWithdraw', { ...extra, ...more }, amount),
      };
    }
    // The control: whether it is the requestId that is refused, or the withdrawal.
    const without = await treasury(lab, 'treasuryWithdraw', {}, amount);
    if (!isSuccess(without)) return notApplicable(`a withdrawal of ${amount} is refused: ${describeResponse(first)}`);
    // The first may have met another withdrawal under way.
    if (tries === WITHDRAWAL_TRIES)
      throw breach(lab, first, 'a withdrawal accepted with a requestId as without', 'it is refused', [without]);
  }
}

/** The withdrawal that others have repeated, or one of its own where that tells nothing. */
async function earlyWithdrawal(lab: Lab): Promise<Replayable> {
  const repeated = await repeatedWithdrawal(lab);
  return repeated ?? (await lab.run.once('early withdrawal', () => withdrawn(lab, ownSum(lab, 'early').text)));
}

async function withdrawnLarge(lab: Lab): Promise<Replayable> {
  const sum = await largeSum(lab);
  return sum === null ? notApplicable('there are no funds for a large withdrawal') : await withdrawn(lab, sum);
}

const only = (place: string, amounts: Map<string, number>) => new Map([...amounts].filter(([each]) => each === place));

/** The same, where the experiment that others share did not show that all is well. */
async function judgingRepeats(lab: Lab, experiment: (tries: number) => Promise<void>): Promise<void> {
  if (await repeatedWithdrawal(lab)) return;
  await repeatExclusively(lab, experiment);
}

/** Where a replay names the withdrawal, the same one each time, all answers to one requestId name that one. */
async function expectOneId(
  lab: Lab,
  answers: readonly ApiResponse[],
  replay: () => Promise<ApiResponse>,
): Promise<void> {
  const ids = new Set<unknown>(answers.map((answer) => bodyMember(answer, 'id')).filter((id) => id !== undefined));
  if (ids.size < 2) return;
  const replays = [await replay(), await replay()].map((answer) => bodyMember(answer, 'id'));
  if (replays[0] !== replays[1] || !ids.has(replays[0])) return;
  const [first, ...rest] = answers as [ApiResponse, ...ApiResponse[]];
  throw breach(lab, first, `one withdrawal, ${String(replays[0])}, of one requestId`, `there are ${ids.size}`, rest);
}

/** Throws NotApplicable where what was withdrawn comes back without any replay. */
async function expectNotGivenBack(lab: Lab, { cents, text }: Sum): Promise<void> {
  const before = amountsOf(await treasury(lab, 'treasuryBalance'));
  await withdrawn(lab, text);
  const fell = await placeLoweredBy(lab, before, cents, SHOWS_WITHIN_MS);
  if (!fell) return;
  const left = only(fell.place, amountsOf(fell.answer));
  const back = await placeLoweredBy(lab, left, cents, SHOWS_WITHIN_MS, { least: -1, most: -1 });
  if (back) notApplicable('what was withdrawn is given back a moment later');
}

/** A balance with a requestId that is to be replayed; what may be withdrawn has been withdrawn since. */
async function balanceBeforeWithdrawal(lab: Lab): Promise<{ requestId: string; first: ApiResponse }> {
  const small = await smallWithdrawal(lab);
  if (small?.balance && isRemembered(small.balance.answer)) {
    lab.shares([small.balance.answer]);
    return { requestId: small.balance.requestId, first: small.balance.answer };
  }
  const requestId = lab.requestId();
  const first = await treasury(lab, 'treasuryBalance', { requestId });
  if (!isSuccess(first) && !isSuccess(await treasury(lab, 'treasuryBalance')))
    notApplicable(`a balance is refused, with a requestId and without: ${describeResponse(first)}`);
  expectAccepted(lab, first, 'a balance request with a requestId');
  if (lab.target.operations.treasuryWithdraw)
    await withdrawn(lab, ownSum(lab, 'between replays').text).catch(onlyNotApplicable);
  return { requestId, first };
}

function onlyNotApplicable(error: unknown): void {
  if ((error as Error).name !== 'NotApplicable') throw error;
}

export const idempotencyTreasuryChecks: readonly Check[] = [
  check('IDEM-04.original-response', ['seller', 'treasuryWithdraw'], async (lab) => {
    const early = await earlyWithdrawal(lab);
    const { first, again } = isRemembered(early.first) ? early : await withdrawn(lab, ownSum(lab, 'early').text);
    expectOriginal(lab, first, await again(lab));
    // Nor is it another request for naming the environment that the key is of.
    expectOriginal(lab, first, await again(lab, { headers: ownEnvironment }));
    const requestId = lab.requestId();
    const small = (await smallWithdrawal(lab)) ?? {
      requestId,
      answer: await treasury(lab, 'treasuryWithdraw', { requestId }, SMALL_SUM),
    };
    if (!isSuccess(small.answer)) return;
    const extra = { requestId: small.requestId };
    expectOriginal(lab, small.answer, await treasury(lab, 'treasuryWithdraw', extra, SMALL_SUM));
  }),

  checkIn('late', 'IDEM-04.large', ['seller', 'treasuryWithdraw', 'treasuryBalance'], async (lab) => {
    const large = await largeWithdrawal(lab);
    if (large) return expectOriginal(lab, large.first, large.replayed);
    const { first, again } = await withdrawnLarge(lab);
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-04.late', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { first, again } = await earlyWithdrawal(lab);
    expectRemembered(first);
    expectOriginal(lab, first, await again(lab));
  }),

  check('IDEM-04.one-effect', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingRepeats(lab, async (tries) => {
      const sum = ownSum(lab, 'one effect', tries);
      const before = await treasury(lab, 'treasuryBalance');
      lab.observe('treasury-balance-answer', before.status);
      const { first: withdrawal, again } = await withdrawn(lab, sum.text);
      const started = performance.now();
      const first = await placeLoweredBy(lab, amountsOf(before), sum.cents, SHOWS_WITHIN_MS);
      if (!first) return await endUnseen(lab, { before, withdrawal, amount: sum.text });
      const within = afterEffectMs(performance.now() - started);
      await again(lab);
      const left = only(first.place, amountsOf(first.answer));
      const second = await placeLoweredBy(lab, left, sum.cents, within, { least: -1, most: 1 });
      if (!second) return;
      if (second.times < 0) await expectNotGivenBack(lab, ownSum(lab, 'given back', tries));
      const because = `${second.place} ${second.times > 0 ? 'fell by' : 'rose by'} ${sum.text} with the replay`;
      throw breach(lab, second.answer, 'a balance lowered once', because, [first.answer]);
    }),
  ),

  check('IDEM-04.other-amount', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingRepeats(lab, async (tries) => {
      const requestId = lab.requestId();
      const [sum, otherSum] = [ownSum(lab, 'original', tries), ownSum(lab, 'other amount', tries)];
      const untouched = await treasury(lab, 'treasuryBalance');
      const first = await treasury(lab, 'treasuryWithdraw', { requestId }, sum.text);
      if (!isSuccess(first)) notApplicable(`a withdrawal of ${sum.text} is refused: ${describeResponse(first)}`);
      const started = performance.now();
      const before = await placeLoweredBy(lab, amountsOf(untouched), sum.cents, SHOWS_WITHIN_MS);
      if (!before) return await endUnseen(lab, { before: untouched, withdrawal: first, amount: sum.text });
      const within = afterEffectMs(performance.now() - started);
      const other = await treasury(lab, 'treasuryWithdraw', { requestId }, otherSum.text);
      const fell = await placeLoweredBy(lab, amountsOf(before.answer), otherSum.cents, within);
      const because = `${fell?.place} fell by ${otherSum.text}, the sum of a repeated requestId`;
      if (fell) throw breach(lab, other, 'no withdrawal of a repeated requestId', because, [first, fell.answer]);
    }),
  ),

  check('IDEM-04.simultaneous', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingRepeats(lab, async (tries) => {
      const { cents, text } = ownSum(lab, 'simultaneous', tries);
      const untouched = await treasury(lab, 'treasuryBalance');
      const before = amountsOf(untouched);
      const requestId = lab.requestId();
      const answers = await withdrawTogether(lab, requestId, text, VOLLEY);
      const first = answers.find(isSuccess);
      if (!first)
        return notApplicable(`a withdrawal of ${text} is refused: ${describeResponse(answers[0] as ApiResponse)}`);
      const started = performance.now();
      await expectOneId(lab, answers.filter(isSuccess), () => treasury(lab, 'treasuryWithdraw', { requestId }, text));
      const fell = await placeLoweredBy(lab, before, cents, SHOWS_WITHIN_MS, { least: 1, most: VOLLEY });
      if (!fell) return await endUnseen(lab, { before: untouched, withdrawal: first, amount: text });
      // The others may land after the first.
      const within = afterEffectMs(performance.now() - started);
      const again = () => placeLoweredBy(lab, only(fell.place, before), cents, within, { least: 2, most: VOLLEY });
      const more = fell.times > 1 ? fell : await again();
      const because = `${VOLLEY} withdrawals of ${text} with one requestId at the same moment lowered ${more?.place} more than once`;
      if (more) throw breach(lab, more.answer, `a balance lowered once, by ${text}`, because, [first]);
    }),
  ),

  check('IDEM-05.original-response', ['seller', 'treasuryBalance'], async (lab) => {
    if (!takesRequestId(lab, 'treasuryBalance')) {
      notApplicable('the balance is a GET here: it takes no body and so no requestId');
    }
    const { requestId, first } = await balanceBeforeWithdrawal(lab);
    const extra = { requestId };
    // A balance that has moved meanwhile tells a replay from a fresh answer: where no withdrawal moves it, a payment may.
    const now = await treasury(lab, 'treasuryBalance');
    const isMoved = !isDeepStrictEqual(amountsOf(first), amountsOf(now));
    if (!isMoved && operationsTo('SETTLED').every((action) => lab.target.operations[action]))
      await whereReachable(() => nextSettlement(lab));
    expectOriginal(lab, first, await treasury(lab, 'treasuryBalance', extra));
    expectOriginal(lab, first, await treasury(lab, 'treasuryBalance', { ...extra, headers: ownEnvironment }));
  }),
];
