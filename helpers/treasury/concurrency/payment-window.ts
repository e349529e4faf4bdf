import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../api/responses.ts';
import { treasuryActor } from '../../api/treasury-requests.ts';
import { confirmBreach, FOREIGN_SETTLEMENT } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import { pollUntil } from '../../assert/poll.ts';
import { notApplicable } from '../../assert/unjudged-outcomes.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { sharedResultBy } from '../../context/shared-result.ts';
import { formatAmount } from '../../data/amounts.ts';
import { MAX_BALANCE_LAG_MS } from '../balances/balance.ts';
import { type PartyBalances, readPartyBalances } from '../balances/party-balances.ts';
import {
  type BookedPayments,
  type BookingProblem,
  bookingProblems,
  type ExpectedPayments,
  explainChange,
} from './booked-payments.ts';
import {
  createPayableInvoices,
  type Payment,
  payOnceMore,
  replayWithdrawal,
  settleConcurrently,
  withdrawConcurrently,
  withdrawTooMuch,
} from './concurrent-payments.ts';

/** A job that pays a second time, or a retry of a rejected payment, runs within this time, in milliseconds. */
const LATE_PAYMENT_MS = 1000;

interface PaymentWindow {
  withdrawals: readonly Payment[];
  settlements: readonly Payment[];
  rejected: Payment | null;
  /** The payments that each number of a balance shows. */
  shown: ReadonlyMap<string, BookedPayments>;
  before: PartyBalances;
  after: PartyBalances;
}

/** Which payments change the numbers of a party, and in which direction. */
function signsOf(ctx: CheckContext, place: string): Parameters<typeof explainChange>[2] {
  const { treasuryWithdraw } = ctx.target.operations;
  const withdraws = treasuryWithdraw !== undefined && place.startsWith(treasuryActor(ctx, 'treasuryWithdraw'));
  return { withdrawal: withdraws ? -1 : 0, settlement: place.startsWith('seller') ? 1 : -1 };
}

function shownPayments(
  ctx: CheckContext,
  expected: ExpectedPayments,
  { before, after }: Pick<PaymentWindow, 'before' | 'after'>,
): Map<string, BookedPayments> {
  const shown = new Map<string, BookedPayments>();
  for (const [place, cents] of after) {
    const change = cents - (before.get(place) ?? cents);
    const booked = change === 0 ? null : explainChange(change, expected, signsOf(ctx, place));
    // A turnover may count a payment for both parties.
    const isTurnover =
      booked?.settlements.every((times) => times > 1) && booked.withdrawals.every((times) => times === 0);
    if (booked && !(isTurnover && place.startsWith('seller'))) shown.set(place, booked);
  }
  return shown;
}

const hasProblem = (shown: ReadonlyMap<string, BookedPayments>) =>
  [...shown.values()].some((booked) => bookingProblems(booked).length > 0);

const centsIn = (payments: readonly Payment[]) => payments.map(({ cents }) => cents);

/**
 * Concurrent withdrawals and settlements, replays of one of them, and a rejected withdrawal that the settlements could pay. No other
 * check moves money meanwhile, so the changes of the balances show which of them the server has booked.
 */
const paymentWindow = sharedResultBy(async (ctx, _round: string, round: number): Promise<PaymentWindow> => {
  const invoices = await createPayableInvoices(ctx);
  return await ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
    // Late effects of earlier payments would change the balances meanwhile.
    await pause(LATE_PAYMENT_MS);
    const before = await readPartyBalances(ctx);
    const rejected = await withdrawTooMuch(ctx, before);
    const [withdrawals, settlements] = await Promise.all([
      withdrawConcurrently(ctx, round),
      settleConcurrently(ctx, invoices),
    ]);
    if (withdrawals[0]) await replayWithdrawal(ctx, withdrawals[0]);
    await pause(LATE_PAYMENT_MS);
    const expected = {
      withdrawals: centsIn(withdrawals),
      settlements: centsIn(settlements),
      rejected: rejected?.cents ?? null,
    };
    const within = Math.max(MAX_BALANCE_LAG_MS, ctx.target.limits.settleWithinMs);
    const look = async () => {
      const after = await readPartyBalances(ctx);
      return { after, shown: shownPayments(ctx, expected, { before, after }) };
    };
    const seen = await pollUntil(ctx, look, ({ shown }) => !hasProblem(shown), within);
    const window = { withdrawals, settlements, rejected, before, ...seen };
    return hasProblem(seen.shown) ? { ...window, shown: await confirmedPayments(ctx, window, round) } : window;
  });
});

/**
 * The numbers that show one more payment of each kind, while those before it are still booked as they were. A server that books later
 * than the limit, or several at a time, does not show it.
 */
async function confirmedPayments(
  ctx: CheckContext,
  window: PaymentWindow,
  round: number,
): Promise<ReadonlyMap<string, BookedPayments>> {
  const { withdrawals, settlements, rejected, before, shown } = window;
  const withdrawal = withdrawals.length > 0 ? await payOnceMore(ctx, 'withdrawal', round) : null;
  const settlement = settlements.length > 0 ? await payOnceMore(ctx, 'settlement', round) : null;
  const expected = {
    withdrawals: centsIn([...withdrawals, ...(withdrawal ? [withdrawal] : [])]),
    settlements: centsIn([...settlements, ...(settlement ? [settlement] : [])]),
    rejected: rejected?.cents ?? null,
  };
  const isShown = (times: readonly number[], earlier: readonly number[], isPaid: boolean) =>
    earlier.every((each, at) => times[at] === each) &&
    (!isPaid || earlier.every((each) => each === 0) || (times.at(-1) ?? 0) > 0);
  const look = async () => {
    const now = shownPayments(ctx, expected, { before, after: await readPartyBalances(ctx) });
    return new Map(
      [...shown].filter(([place, booked]) => {
        const later = now.get(place);
        return (
          later !== undefined &&
          isShown(later.withdrawals, booked.withdrawals, withdrawal !== null) &&
          isShown(later.settlements, booked.settlements, settlement !== null) &&
          later.rejected === booked.rejected
        );
      }),
    );
  };
  const within = Math.max(MAX_BALANCE_LAG_MS, ctx.target.limits.settleWithinMs);
  return await pollUntil(ctx, look, (confirmed) => confirmed.size === shown.size, within);
}

interface PaymentQuestion {
  problems: readonly BookingProblem[];
  /** What the balance must show. */
  expected: string;
  payments: (window: PaymentWindow) => readonly Payment[];
  /** Whether a number of a balance shows such payments. */
  isShown: (booked: BookedPayments) => boolean;
}

/** Throws a Breach if a balance shows one of the problems. Throws NotApplicable if no number shows such payments. */
export async function expectBooked(ctx: CheckContext, question: PaymentQuestion): Promise<void> {
  await confirmBreach(ctx, FOREIGN_SETTLEMENT, async ({ number }) => {
    const window = await paymentWindow(ctx, `round ${number}`, number);
    const payments = question.payments(window);
    const [first, ...others] = payments.map(({ response }) => response);
    skipUnlessPaid(first);
    ctx.addEvidence([first, ...others]);
    const shown = [...window.shown].filter(([, booked]) => question.isShown(booked));
    skipUnlessShownInBalance(shown);
    expectNoProblem(ctx, question, window, { first, others, shown });
  });
}

function skipUnlessPaid(first: ApiResponse | undefined): asserts first is ApiResponse {
  if (!first) notApplicable('no such payment could be made and seen');
}

function skipUnlessShownInBalance(shown: readonly unknown[]): void {
  if (shown.length === 0) notApplicable('no number of a balance changes by exactly the amounts of such payments');
}

function expectNoProblem(
  ctx: CheckContext,
  { problems, expected, payments }: PaymentQuestion,
  window: PaymentWindow,
  { first, others, shown }: { first: ApiResponse; others: ApiResponse[]; shown: [string, BookedPayments][] },
): void {
  const amounts = payments(window).map(({ cents }) => formatAmount(cents));
  for (const [place, booked] of shown) {
    const problem = bookingProblems(booked).find((each) => problems.includes(each));
    if (!problem) continue;
    const [was, is] = [window.before, window.after].map((balances) => formatAmount(balances.get(place) ?? 0));
    const because = `${place} went from ${was} to ${is}, ${describeBooked(window, booked)} (${problem})`;
    throw breach(ctx, first, `${expected}: ${amounts.join(', ')}`, because, others);
  }
}

/** For example: which is withdrawals 4.33 × 1, 4.35 × 0 and settlements 120.10 × 1. */
function describeBooked({ withdrawals, settlements, rejected }: PaymentWindow, booked: BookedPayments): string {
  const list = (payments: readonly Payment[], times: readonly number[]) =>
    payments.map(({ cents }, at) => `${formatAmount(cents)} × ${times[at]}`).join(', ');
  const parts = [
    booked.withdrawals.some((times) => times > 0) && `withdrawals ${list(withdrawals, booked.withdrawals)}`,
    booked.settlements.some((times) => times > 0) && `settlements ${list(settlements, booked.settlements)}`,
    rejected && booked.rejected > 0 && `the rejected ${formatAmount(rejected.cents)}`,
  ];
  return `which is ${parts.filter(Boolean).join(' and ')}`;
}
