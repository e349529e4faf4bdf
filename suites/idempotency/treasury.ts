import { isDeepStrictEqual } from 'node:util';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { canHaveRequestId } from '../../helpers/api/requests.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest, withdrawSimultaneously } from '../../helpers/api/treasury-requests.ts';
import { breach, expectAccepted } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase, FIRST_IN_MAIN, withPriority } from '../../helpers/context/check.ts';
import { formatAmount } from '../../helpers/data/amounts.ts';
import {
  smallWithdrawalAmount,
  type WithdrawalAmount,
  withdrawalAmountFor,
} from '../../helpers/data/withdrawal-amounts.ts';
import { expectOriginalResponse, isRemembered, skipUnlessRemembered } from '../../helpers/idempotency/replay.ts';
import { ifReachable, mayReach } from '../../helpers/invoices/invoices.ts';
import {
  balanceLagMs,
  centsByPlace,
  type LoweredAmount,
  MAX_BALANCE_LAG_MS,
  readQuietBalance,
  secondEffectWaitMs,
  waitForLoweredAmount,
  waitForWithdrawal,
} from '../../helpers/treasury/balances/balance.ts';
import { hasWithdrawals } from '../../helpers/treasury/concurrency/booked-payments.ts';
import { expectBooked } from '../../helpers/treasury/concurrency/booking-problems.ts';
import { isLargestAmount } from '../../helpers/treasury/insufficient-funds/overdraft.ts';
import { largeWithdrawal } from '../../helpers/treasury/withdrawals/large-withdrawal.ts';
import {
  repeatExclusively,
  repeatedWithdrawal,
  SIMULTANEOUS_WITHDRAWALS,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import {
  createLargeWithdrawal,
  createReplayableWithdrawal,
  earlyWithdrawal,
  expectSingleWithdrawalId,
} from '../../helpers/treasury/withdrawals/replayable-withdrawal.ts';
import { smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { endWithUnseenWithdrawal } from '../../helpers/treasury/withdrawals/unseen-withdrawal.ts';
import { createSharedSettlement } from '../../helpers/webhooks/announced-settlement.ts';

const amountsAtPlace = (place: string, amounts: Map<string, number>) =>
  new Map([...amounts].filter(([each]) => each === place));

/** Runs the experiment unless the shared experiment has already shown the correct behaviour. */
async function repeatUnlessAlreadyJudged(
  ctx: CheckContext,
  experiment: (tries: number) => Promise<void>,
): Promise<void> {
  if (await repeatedWithdrawal(ctx)) return;
  await repeatExclusively(ctx, experiment);
}

/** Throws NotApplicable if the server refunds a withdrawal without a replay. */
async function skipIfRefunded(ctx: CheckContext, { cents, text }: WithdrawalAmount): Promise<void> {
  const before = centsByPlace(await readQuietBalance(ctx));
  await createReplayableWithdrawal(ctx, text);
  const fell = await waitForWithdrawal(ctx, before, cents);
  if (!fell) return;
  const left = amountsAtPlace(fell.place, centsByPlace(fell.response));
  const back = await waitForLoweredAmount(ctx, left, cents, MAX_BALANCE_LAG_MS, { least: -1, most: -1 });
  if (back) notApplicable('the server refunds a withdrawal shortly afterwards');
}

/** A balance request with a requestId, followed by a withdrawal if possible, so that a replay differs from a new response. */
async function replayableBalance(ctx: CheckContext): Promise<{ requestId: string; first: ApiResponse }> {
  const small = await smallWithdrawal(ctx);
  if (small?.balance && isRemembered(small.balance.response)) {
    ctx.addEvidence([small.balance.response]);
    return { requestId: small.balance.requestId, first: small.balance.response };
  }
  const requestId = ctx.createRequestId();
  const first = await sendTreasuryRequest(ctx, 'treasuryBalance', { requestId });
  if (!isSuccess(first) && !isSuccess(await sendTreasuryRequest(ctx, 'treasuryBalance')))
    notApplicable(`the server rejects the balance request with and without a requestId: ${describeResponse(first)}`);
  expectAccepted(ctx, first, 'a balance request with a requestId');
  if (ctx.target.operations.treasuryWithdraw)
    await createReplayableWithdrawal(ctx, withdrawalAmountFor(ctx, 'between replays').text).catch(ignoreNotApplicable);
  return { requestId, first };
}

function ignoreNotApplicable(error: unknown): void {
  if ((error as Error).name !== 'NotApplicable') throw error;
}

/** Whether a number that rose by an amount falls by it again, without a request. */
async function fallsBack(ctx: CheckContext, { place, response }: LoweredAmount, cents: number): Promise<boolean> {
  const risen = amountsAtPlace(place, centsByPlace(response));
  return (await waitForLoweredAmount(ctx, risen, cents, MAX_BALANCE_LAG_MS)) !== null;
}

/**
 * For a server whose funds fall by an amount other than the withdrawn one, such as with a fee or in minor units. Throws a Breach if they
 * fall by this or by the withdrawn amount once more after the replay, although they stay without it.
 */
async function expectNoFurtherFall(
  ctx: CheckContext,
  before: ApiResponse,
  { cents }: WithdrawalAmount,
  replay: (ctx: CheckContext) => Promise<ApiResponse>,
): Promise<void> {
  const then = centsByPlace(before);
  const after = await sendTreasuryRequest(ctx, 'treasuryBalance');
  const funds = [...centsByPlace(after)].find(
    ([place, now]) => isLargestAmount(then, place) && now < (then.get(place) ?? now),
  );
  if (!funds) return;
  const [place, left] = funds;
  const fallCents = (then.get(place) ?? left) - left;
  const furtherFall = (balance: ApiResponse) => left - (centsByPlace(balance).get(place) ?? left);
  const hasFallen = (balance: ApiResponse) => [fallCents, cents].includes(furtherFall(balance));
  const read = () => sendTreasuryRequest(ctx, 'treasuryBalance');
  if (hasFallen(await pollUntil(ctx, read, hasFallen, MAX_BALANCE_LAG_MS))) return;
  const replayed = await replay(ctx);
  const last = await pollUntil(ctx, read, hasFallen, MAX_BALANCE_LAG_MS);
  if (!hasFallen(last)) return;
  const because = `${place} fell by ${formatAmount(fallCents)} after the withdrawal, and by ${formatAmount(furtherFall(last))} after the replay`;
  throw breach(ctx, last, 'a balance lowered once', because, [after, replayed]);
}

/** The effect of more than one of the simultaneous withdrawals. The others may take effect after the first. */
async function findRepeatedEffect(
  ctx: CheckContext,
  fell: LoweredAmount,
  { untouched, cents, started }: { untouched: ApiResponse; cents: number; started: number },
): Promise<LoweredAmount | null> {
  const within = secondEffectWaitMs(performance.now() - started, balanceLagMs(ctx));
  if (fell.times > 1) return fell;
  const before = amountsAtPlace(fell.place, centsByPlace(untouched));
  return await waitForLoweredAmount(ctx, before, cents, within, { least: 2, most: SIMULTANEOUS_WITHDRAWALS });
}

/** Whether as many withdrawals with one requestId also lower the balance more than once if none is concurrent. */
async function hasEffectOneByOne(ctx: CheckContext, { cents, text }: WithdrawalAmount): Promise<boolean> {
  const before = centsByPlace(await readQuietBalance(ctx));
  const requestId = ctx.createRequestId();
  for (let sent = 0; sent < SIMULTANEOUS_WITHDRAWALS; sent += 1)
    await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, text);
  const range = { least: 2, most: SIMULTANEOUS_WITHDRAWALS };
  return (await waitForWithdrawal(ctx, before, cents, range)) !== null;
}

// Before other checks settle invoices: a payment that arrives hides what a withdrawal takes from the balance.
export const idempotencyTreasuryChecks: readonly Check[] = withPriority('high', [
  check('IDEM-04.original-response', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const early = await earlyWithdrawal(ctx);
    const { first, replay: again } = isRemembered(early.first)
      ? early
      : await createReplayableWithdrawal(ctx, withdrawalAmountFor(ctx, 'early').text);
    expectOriginalResponse(ctx, first, await again(ctx));
    // X-Environment with the key's own environment does not make it a different request.
    expectOriginalResponse(ctx, first, await again(ctx, { headers: sandboxHeader }));
    const requestId = ctx.createRequestId();
    const small = (await smallWithdrawal(ctx)) ?? {
      requestId,
      response: await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, smallWithdrawalAmount(ctx)),
    };
    if (!isSuccess(small.response)) return;
    const extra = { requestId: small.requestId };
    expectOriginalResponse(
      ctx,
      small.response,
      await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, smallWithdrawalAmount(ctx)),
    );
  }),

  checkInPhase('late', 'IDEM-04.large', ['seller', 'treasuryWithdraw', 'treasuryBalance'], async (ctx) => {
    const large = await largeWithdrawal(ctx);
    if (large) return expectOriginalResponse(ctx, large.first, large.replayed);
    const { first, replay: again } = await createLargeWithdrawal(ctx);
    expectOriginalResponse(ctx, first, await again(ctx));
  }),

  checkInPhase('late', 'IDEM-04.late', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const { first, replay: again } = await earlyWithdrawal(ctx);
    skipUnlessRemembered(first);
    expectOriginalResponse(ctx, first, await again(ctx));
  }),

  check('IDEM-04.one-effect', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    repeatUnlessAlreadyJudged(ctx, async (tries) => {
      const sum = withdrawalAmountFor(ctx, 'one effect', tries);
      const before = await readQuietBalance(ctx);
      ctx.observe('treasury-balance-response', before.status);
      const { first: withdrawal, replay: again } = await createReplayableWithdrawal(ctx, sum.text);
      const started = performance.now();
      const first = await waitForWithdrawal(ctx, centsByPlace(before), sum.cents);
      if (!first) {
        await expectNoFurtherFall(ctx, before, sum, again);
        return await endWithUnseenWithdrawal(ctx, { before, withdrawal, amount: sum.text });
      }
      const within = secondEffectWaitMs(performance.now() - started, balanceLagMs(ctx));
      await again(ctx);
      const left = amountsAtPlace(first.place, centsByPlace(first.response));
      const second = await waitForLoweredAmount(ctx, left, sum.cents, within, { least: -1, most: 1 });
      if (!second) return;
      // A stale read shows the balance from before the withdrawal, and a later one does not.
      if (second.times < 0 && (await fallsBack(ctx, second, sum.cents))) return;
      if (second.times < 0) await skipIfRefunded(ctx, withdrawalAmountFor(ctx, 'given back', tries));
      const because = `${second.place} ${second.times > 0 ? 'fell by' : 'rose by'} ${sum.text} after the replay`;
      throw breach(ctx, second.response, 'a balance lowered once', because, [first.response]);
    }),
  ),

  checkInPhase(FIRST_IN_MAIN, 'IDEM-04.no-second-effect', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    expectBooked(ctx, {
      problems: ['withdrawal repeated'],
      expected: 'the replayed amount deducted from the balance exactly once',
      payments: ({ withdrawals }) => withdrawals.slice(0, 1),
      isShown: hasWithdrawals,
    }),
  ),

  check('IDEM-04.other-amount', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    repeatUnlessAlreadyJudged(ctx, async (tries) => {
      const requestId = ctx.createRequestId();
      const [sum, otherSum] = [
        withdrawalAmountFor(ctx, 'original', tries),
        withdrawalAmountFor(ctx, 'other amount', tries),
      ];
      const untouched = await readQuietBalance(ctx);
      const first = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, sum.text);
      if (!isSuccess(first)) notApplicable(`a withdrawal of ${sum.text} is rejected: ${describeResponse(first)}`);
      const started = performance.now();
      const before = await waitForWithdrawal(ctx, centsByPlace(untouched), sum.cents);
      if (!before)
        return await endWithUnseenWithdrawal(ctx, { before: untouched, withdrawal: first, amount: sum.text });
      const within = secondEffectWaitMs(performance.now() - started, balanceLagMs(ctx));
      const other = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, otherSum.text);
      const fell = await waitForLoweredAmount(ctx, centsByPlace(before.response), otherSum.cents, within);
      const because = `${fell?.place} fell by ${otherSum.text}, the amount of the request with a repeated requestId`;
      if (fell) throw breach(ctx, other, 'no withdrawal for a repeated requestId', because, [first, fell.response]);
    }),
  ),

  check('IDEM-04.simultaneous', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    repeatUnlessAlreadyJudged(ctx, async (tries) => {
      const { cents, text } = withdrawalAmountFor(ctx, 'simultaneous', tries);
      const untouched = await readQuietBalance(ctx);
      const requestId = ctx.createRequestId();
      const responses = await withdrawSimultaneously(ctx, requestId, text, SIMULTANEOUS_WITHDRAWALS);
      const first = responses.find(isSuccess);
      if (!first)
        return notApplicable(`a withdrawal of ${text} is rejected: ${describeResponse(responses[0] as ApiResponse)}`);
      const started = performance.now();
      const replay = () => sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, text);
      await expectSingleWithdrawalId(ctx, responses.filter(isSuccess), replay);
      const range = { least: 1, most: SIMULTANEOUS_WITHDRAWALS };
      const fell = await waitForWithdrawal(ctx, centsByPlace(untouched), cents, range);
      if (!fell) return await endWithUnseenWithdrawal(ctx, { before: untouched, withdrawal: first, amount: text });
      const more = await findRepeatedEffect(ctx, fell, { untouched, cents, started });
      if (!more) return;
      const [isRepeated = false] = await ifReachable(() => hasEffectOneByOne(ctx, { cents, text }));
      const manner = isRepeated ? 'withdrawals, concurrent or one after another,' : 'concurrent withdrawals';
      const because = `${SIMULTANEOUS_WITHDRAWALS} ${manner} of ${text} with one requestId lowered ${more.place} more than once`;
      throw breach(ctx, more.response, `a balance lowered once, by ${text}`, because, [first]);
    }),
  ),

  check('IDEM-05.original-response', ['seller', 'treasuryBalance'], async (ctx) => {
    if (!canHaveRequestId(ctx, 'treasuryBalance')) {
      notApplicable('the target file binds treasuryBalance to GET, which has no body and no requestId');
    }
    const { requestId, first } = await replayableBalance(ctx);
    const extra = { requestId };
    // Only a changed balance distinguishes a replay from a new response. If no withdrawal changed it, a settlement may.
    const now = await sendTreasuryRequest(ctx, 'treasuryBalance');
    const isMoved = !isDeepStrictEqual(centsByPlace(first), centsByPlace(now));
    if (!isMoved && mayReach(ctx, 'SETTLED')) await ifReachable(() => createSharedSettlement(ctx));
    expectOriginalResponse(ctx, first, await sendTreasuryRequest(ctx, 'treasuryBalance', extra));
    expectOriginalResponse(
      ctx,
      first,
      await sendTreasuryRequest(ctx, 'treasuryBalance', { ...extra, headers: sandboxHeader }),
    );
  }),
]);
