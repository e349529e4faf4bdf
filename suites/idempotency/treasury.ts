import { isDeepStrictEqual } from 'node:util';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import type { ActionOptions } from '../../helpers/api/operations.ts';
import { canHaveRequestId, sendTreasuryRequest, withdrawSimultaneously } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectAccepted } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import type { WithdrawalAmount } from '../../helpers/data/withdrawal-amounts.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectOriginalResponse, isRemembered, skipUnlessRemembered } from '../../helpers/idempotency/replay.ts';
import { actionsLeadingTo, ifReachable } from '../../helpers/invoices/invoices.ts';
import {
  centsByPlace,
  MAX_BALANCE_LAG_MS,
  secondEffectWaitMs,
  waitForLoweredAmount,
} from '../../helpers/treasury/balances/balance.ts';
import { affordableLargeAmount, largeWithdrawal } from '../../helpers/treasury/withdrawals/large-withdrawal.ts';
import type { ReplayableWithdrawal } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import {
  repeatExclusively,
  repeatedWithdrawal,
  WITHDRAWAL_VOLLEY_SIZE,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { SMALL_WITHDRAWAL_AMOUNT, smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { endWithUnseenWithdrawal } from '../../helpers/treasury/withdrawals/unseen-withdrawal.ts';
import { createSharedSettlement } from '../../helpers/webhooks/announced-settlement.ts';

const MAX_WITHDRAWAL_ATTEMPTS = 3;

async function createReplayableWithdrawal(lab: CheckContext, amount: string): Promise<ReplayableWithdrawal> {
  for (let tries = 1; ; tries += 1) {
    const extra = { requestId: lab.createRequestId() };
    const first = await sendTreasuryRequest(lab, 'treasuryWithdraw', extra, amount);
    if (isSuccess(first)) {
      return {
        first,
        replay: (replaying: CheckContext, more: ActionOptions = {}) =>
          sendTreasuryRequest(replaying, 'treasuryWithdraw', { ...extra, ...more }, amount),
      };
    }
    // The control: whether it is the createRequestId that is refused, or the withdrawal.
    const without = await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, amount);
    if (!isSuccess(without)) return notApplicable(`a withdrawal of ${amount} is refused: ${describeResponse(first)}`);
    // The first may have met another withdrawal under way.
    if (tries === MAX_WITHDRAWAL_ATTEMPTS)
      throw breach(lab, first, 'a withdrawal accepted with a requestId as without', 'it is refused', [without]);
  }
}

/** The withdrawal that others have repeated, or one of its own where that tells nothing. */
async function earlyWithdrawal(lab: CheckContext): Promise<ReplayableWithdrawal> {
  const repeated = await repeatedWithdrawal(lab);
  return (
    repeated ??
    (await lab.run.memoize('early withdrawal', () =>
      createReplayableWithdrawal(lab, withdrawalAmountFor(lab, 'early').text),
    ))
  );
}

async function createLargeWithdrawal(lab: CheckContext): Promise<ReplayableWithdrawal> {
  const sum = await affordableLargeAmount(lab);
  return sum === null
    ? notApplicable('there are no funds for a large withdrawal')
    : await createReplayableWithdrawal(lab, sum);
}

const amountsAtPlace = (place: string, amounts: Map<string, number>) =>
  new Map([...amounts].filter(([each]) => each === place));

/** The same, where the experiment that others share did not show that all is well. */
async function repeatUnlessAlreadyJudged(
  lab: CheckContext,
  experiment: (tries: number) => Promise<void>,
): Promise<void> {
  if (await repeatedWithdrawal(lab)) return;
  await repeatExclusively(lab, experiment);
}

/** Where a replay names the withdrawal, the same one each time, all answers to one createRequestId name that one. */
async function expectSingleWithdrawalId(
  lab: CheckContext,
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
async function skipIfRefunded(lab: CheckContext, { cents, text }: WithdrawalAmount): Promise<void> {
  const before = centsByPlace(await sendTreasuryRequest(lab, 'treasuryBalance'));
  await createReplayableWithdrawal(lab, text);
  const fell = await waitForLoweredAmount(lab, before, cents, MAX_BALANCE_LAG_MS);
  if (!fell) return;
  const left = amountsAtPlace(fell.place, centsByPlace(fell.response));
  const back = await waitForLoweredAmount(lab, left, cents, MAX_BALANCE_LAG_MS, { least: -1, most: -1 });
  if (back) notApplicable('what was withdrawn is given back a moment later');
}

/** A balance with a createRequestId that is to be replayed; what may be withdrawn has been withdrawn since. */
async function replayableBalance(lab: CheckContext): Promise<{ requestId: string; first: ApiResponse }> {
  const small = await smallWithdrawal(lab);
  if (small?.balance && isRemembered(small.balance.response)) {
    lab.addEvidence([small.balance.response]);
    return { requestId: small.balance.requestId, first: small.balance.response };
  }
  const requestId = lab.createRequestId();
  const first = await sendTreasuryRequest(lab, 'treasuryBalance', { requestId });
  if (!isSuccess(first) && !isSuccess(await sendTreasuryRequest(lab, 'treasuryBalance')))
    notApplicable(`a balance is refused, with a requestId and without: ${describeResponse(first)}`);
  expectAccepted(lab, first, 'a balance request with a requestId');
  if (lab.target.operations.treasuryWithdraw)
    await createReplayableWithdrawal(lab, withdrawalAmountFor(lab, 'between replays').text).catch(ignoreNotApplicable);
  return { requestId, first };
}

function ignoreNotApplicable(error: unknown): void {
  if ((error as Error).name !== 'NotApplicable') throw error;
}

export const idempotencyTreasuryChecks: readonly Check[] = [
  check('IDEM-04.original-response', ['seller', 'treasuryWithdraw'], async (lab) => {
    const early = await earlyWithdrawal(lab);
    const { first, replay: again } = isRemembered(early.first)
      ? early
      : await createReplayableWithdrawal(lab, withdrawalAmountFor(lab, 'early').text);
    expectOriginalResponse(lab, first, await again(lab));
    // Nor is it another request for naming the environment that the key is of.
    expectOriginalResponse(lab, first, await again(lab, { headers: sandboxHeader }));
    const requestId = lab.createRequestId();
    const small = (await smallWithdrawal(lab)) ?? {
      requestId,
      response: await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, SMALL_WITHDRAWAL_AMOUNT),
    };
    if (!isSuccess(small.response)) return;
    const extra = { requestId: small.requestId };
    expectOriginalResponse(
      lab,
      small.response,
      await sendTreasuryRequest(lab, 'treasuryWithdraw', extra, SMALL_WITHDRAWAL_AMOUNT),
    );
  }),

  checkInPhase('late', 'IDEM-04.large', ['seller', 'treasuryWithdraw', 'treasuryBalance'], async (lab) => {
    const large = await largeWithdrawal(lab);
    if (large) return expectOriginalResponse(lab, large.first, large.replayed);
    const { first, replay: again } = await createLargeWithdrawal(lab);
    expectOriginalResponse(lab, first, await again(lab));
  }),

  checkInPhase('late', 'IDEM-04.late', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { first, replay: again } = await earlyWithdrawal(lab);
    skipUnlessRemembered(first);
    expectOriginalResponse(lab, first, await again(lab));
  }),

  check('IDEM-04.one-effect', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    repeatUnlessAlreadyJudged(lab, async (tries) => {
      const sum = withdrawalAmountFor(lab, 'one effect', tries);
      const before = await sendTreasuryRequest(lab, 'treasuryBalance');
      lab.observe('treasury-balance-answer', before.status);
      const { first: withdrawal, replay: again } = await createReplayableWithdrawal(lab, sum.text);
      const started = performance.now();
      const first = await waitForLoweredAmount(lab, centsByPlace(before), sum.cents, MAX_BALANCE_LAG_MS);
      if (!first) return await endWithUnseenWithdrawal(lab, { before, withdrawal, amount: sum.text });
      const within = secondEffectWaitMs(performance.now() - started);
      await again(lab);
      const left = amountsAtPlace(first.place, centsByPlace(first.response));
      const second = await waitForLoweredAmount(lab, left, sum.cents, within, { least: -1, most: 1 });
      if (!second) return;
      if (second.times < 0) await skipIfRefunded(lab, withdrawalAmountFor(lab, 'given back', tries));
      const because = `${second.place} ${second.times > 0 ? 'fell by' : 'rose by'} ${sum.text} with the replay`;
      throw breach(lab, second.response, 'a balance lowered once', because, [first.response]);
    }),
  ),

  check('IDEM-04.other-amount', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    repeatUnlessAlreadyJudged(lab, async (tries) => {
      const requestId = lab.createRequestId();
      const [sum, otherSum] = [
        withdrawalAmountFor(lab, 'original', tries),
        withdrawalAmountFor(lab, 'other amount', tries),
      ];
      const untouched = await sendTreasuryRequest(lab, 'treasuryBalance');
      const first = await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, sum.text);
      if (!isSuccess(first)) notApplicable(`a withdrawal of ${sum.text} is refused: ${describeResponse(first)}`);
      const started = performance.now();
      const before = await waitForLoweredAmount(lab, centsByPlace(untouched), sum.cents, MAX_BALANCE_LAG_MS);
      if (!before)
        return await endWithUnseenWithdrawal(lab, { before: untouched, withdrawal: first, amount: sum.text });
      const within = secondEffectWaitMs(performance.now() - started);
      const other = await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, otherSum.text);
      const fell = await waitForLoweredAmount(lab, centsByPlace(before.response), otherSum.cents, within);
      const because = `${fell?.place} fell by ${otherSum.text}, the sum of a repeated requestId`;
      if (fell) throw breach(lab, other, 'no withdrawal of a repeated requestId', because, [first, fell.response]);
    }),
  ),

  check('IDEM-04.simultaneous', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    repeatUnlessAlreadyJudged(lab, async (tries) => {
      const { cents, text } = withdrawalAmountFor(lab, 'simultaneous', tries);
      const untouched = await sendTreasuryRequest(lab, 'treasuryBalance');
      const before = centsByPlace(untouched);
      const requestId = lab.createRequestId();
      const answers = await withdrawSimultaneously(lab, requestId, text, WITHDRAWAL_VOLLEY_SIZE);
      const first = answers.find(isSuccess);
      if (!first)
        return notApplicable(`a withdrawal of ${text} is refused: ${describeResponse(answers[0] as ApiResponse)}`);
      const started = performance.now();
      await expectSingleWithdrawalId(lab, answers.filter(isSuccess), () =>
        sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, text),
      );
      const fell = await waitForLoweredAmount(lab, before, cents, MAX_BALANCE_LAG_MS, {
        least: 1,
        most: WITHDRAWAL_VOLLEY_SIZE,
      });
      if (!fell) return await endWithUnseenWithdrawal(lab, { before: untouched, withdrawal: first, amount: text });
      // The others may land after the first.
      const within = secondEffectWaitMs(performance.now() - started);
      const again = () =>
        waitForLoweredAmount(lab, amountsAtPlace(fell.place, before), cents, within, {
          least: 2,
          most: WITHDRAWAL_VOLLEY_SIZE,
        });
      const more = fell.times > 1 ? fell : await again();
      const because = `${WITHDRAWAL_VOLLEY_SIZE} withdrawals of ${text} with one requestId at the same moment lowered ${more?.place} more than once`;
      if (more) throw breach(lab, more.response, `a balance lowered once, by ${text}`, because, [first]);
    }),
  ),

  check('IDEM-05.original-response', ['seller', 'treasuryBalance'], async (lab) => {
    if (!canHaveRequestId(lab, 'treasuryBalance')) {
      notApplicable('the balance is a GET here: it takes no body and so no requestId');
    }
    const { requestId, first } = await replayableBalance(lab);
    const extra = { requestId };
    // A balance that has moved meanwhile tells a replay from a fresh answer: where no withdrawal moves it, a payment may.
    const now = await sendTreasuryRequest(lab, 'treasuryBalance');
    const isMoved = !isDeepStrictEqual(centsByPlace(first), centsByPlace(now));
    if (!isMoved && actionsLeadingTo('SETTLED').every((action) => lab.target.operations[action]))
      await ifReachable(() => createSharedSettlement(lab));
    expectOriginalResponse(lab, first, await sendTreasuryRequest(lab, 'treasuryBalance', extra));
    expectOriginalResponse(
      lab,
      first,
      await sendTreasuryRequest(lab, 'treasuryBalance', { ...extra, headers: sandboxHeader }),
    );
  }),
];
