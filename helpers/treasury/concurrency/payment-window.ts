import { setTimeout as pause } from 'node:timers/promises';
import { treasuryActor } from '../../api/treasury-requests.ts';
import { FOREIGN_PAYMENT } from '../../assert/confirm-breach.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedResult } from '../../context/shared-result.ts';
import type { Invoice } from '../../invoices/invoices.ts';
import { afterEarlierPayments, balanceLagMs, onceFundsShow, settlementLagMs } from '../balances/balance.ts';
import { type PartyBalances, readShownBalances, type ShownBalances } from '../balances/party-balances.ts';
import {
  type BookedPayments,
  bookingProblems,
  type ExpectedPayments,
  explainChange,
  includesSum,
  missingAmounts,
} from './booked-payments.ts';
import {
  createPayableInvoices,
  excessOverHiddenFunds,
  type Payment,
  payOnceMore,
  replayWithdrawal,
  settleConcurrently,
  withdrawConcurrently,
  withdrawTooMuch,
} from './concurrent-payments.ts';

/** A job that pays a second time, or a retry of a rejected payment, runs within this time, in milliseconds. */
const LATE_PAYMENT_MS = 1000;

export interface PaymentWindow {
  withdrawals: readonly Payment[];
  settlements: readonly Payment[];
  rejected: Payment | null;
  /** The payments that each number of a balance shows. */
  shown: ReadonlyMap<string, BookedPayments>;
  before: ShownBalances;
  after: ShownBalances;
  /** The balances at the end, after the payments that confirm a problem. */
  last: ShownBalances;
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
  before: PartyBalances,
  after: PartyBalances,
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

/** Whether the balances of a party changed, but none by the payments of the window. */
const isMixed = ({ shown, before, after }: PaymentWindow) =>
  (['seller', 'buyer'] as const).some((party) => {
    const own = [...after.balances].filter(([place]) => place.startsWith(party));
    const hasChanged = own.some(([place, cents]) => cents !== (before.balances.get(place) ?? cents));
    return hasChanged && !own.some(([place]) => shown.has(place));
  });

const expectedIn = ({
  withdrawals,
  settlements,
  rejected,
}: Pick<PaymentWindow, 'withdrawals' | 'settlements' | 'rejected'>): ExpectedPayments => ({
  withdrawals: withdrawals.map(({ cents }) => cents),
  settlements: settlements.map(({ cents }) => cents),
  rejected: rejected?.cents ?? null,
});

/**
 * Windows until one shows no problem, at most one for each round of the confirmation. No other check moves money meanwhile, so the
 * changes of the balances show which payments the server has booked.
 */
export const paymentWindows = sharedResult(async (ctx): Promise<readonly PaymentWindow[]> => {
  const { balanceLock } = ctx.run;
  return await balanceLock.withoutOtherPayments(ctx.lockOwner, async () => {
    const invoices = await createPayableInvoices(ctx);
    const afterPayments = excessOverHiddenFunds(ctx, invoices) === null ? onceFundsShow : afterEarlierPayments;
    const paid = await afterPayments(ctx, () => payAtOnce(ctx, 1, invoices));
    // Other checks may change invoices meanwhile. If the balance shows them, a window without them follows.
    await pause(LATE_PAYMENT_MS);
    return await balanceLock.exclusive(ctx.lockOwner, async () => openWindows(ctx, await observePayments(ctx, paid)));
  });
});

async function openWindows(ctx: CheckContext, first: PaymentWindow): Promise<readonly PaymentWindow[]> {
  // An earlier payment may have been booked late, during the window.
  const windows = [isMixed(first) ? await repeatWindow(ctx, 2) : first];
  const skipped = first === windows[0] ? 0 : 1;
  const missing = new Map<string, number[]>();
  for (;;) {
    const window = windows.at(-1) as PaymentWindow;
    if (!hasProblem(window.shown) || windows.length === FOREIGN_PAYMENT.rounds) return windows;
    const expected = expectedIn(window);
    for (const [place, booked] of window.shown)
      missing.set(place, [...(missing.get(place) ?? []), ...missingAmounts(booked, expected, signsOf(ctx, place))]);
    const next = await repeatWindow(ctx, skipped + windows.length + 1);
    windows.push({ ...next, shown: withoutLate(next, window.last.balances, missing) });
  }
}

/** One more window, without changes of invoices. The caller holds the balance lock. */
async function repeatWindow(ctx: CheckContext, round: number): Promise<PaymentWindow> {
  const invoices = await createPayableInvoices(ctx);
  // The effects of earlier payments may take longer than the run has measured.
  await pause(ctx.run.paymentClock.remainingMs(settlementLagMs(ctx)));
  const paid = await payAtOnce(ctx, round, invoices);
  await pause(LATE_PAYMENT_MS);
  return await observePayments(ctx, paid);
}

/** A number that has changed by missing amounts since the window before is not incomplete but late, so it proves nothing. */
function withoutLate(
  { shown, before: { balances } }: PaymentWindow,
  earlier: PartyBalances,
  missing: ReadonlyMap<string, number[]>,
): Map<string, BookedPayments> {
  const isLate = (place: string) =>
    includesSum(missing.get(place) ?? [], (balances.get(place) ?? 0) - (earlier.get(place) ?? 0));
  return new Map([...shown].filter(([place]) => !isLate(place)));
}

/** The payments of a window, with the balances before them. */
type UnobservedWindow = Omit<PaymentWindow, 'shown' | 'after' | 'last'> & { round: number };

/** Concurrent withdrawals and settlements, a replay of one of them, and a rejected withdrawal that the settlements could pay. */
async function payAtOnce(ctx: CheckContext, round: number, invoices: readonly Invoice[]): Promise<UnobservedWindow> {
  const before = await readShownBalances(ctx);
  const rejected = await withdrawTooMuch(ctx, before, invoices);
  const [withdrawals, settlements] = await Promise.all([
    withdrawConcurrently(ctx, round),
    settleConcurrently(ctx, invoices),
  ]);
  if (withdrawals[0]) await replayWithdrawal(ctx, withdrawals[0]);
  return { round, withdrawals, settlements, rejected, before };
}

/** Waits until a number shows the payments of a window without a problem. */
async function observePayments(ctx: CheckContext, { round, ...payments }: UnobservedWindow): Promise<PaymentWindow> {
  const { withdrawals, settlements, before } = payments;
  const canShow = before.balances.size > 0 && withdrawals.length + settlements.length > 0;
  const isComplete = ({ shown }: Pick<PaymentWindow, 'shown'>) => (shown.size > 0 || !canShow) && !hasProblem(shown);
  const look = async () => {
    const after = await readShownBalances(ctx);
    return { after, shown: shownPayments(ctx, expectedIn(payments), before.balances, after.balances) };
  };
  const seen = await pollUntil(ctx, look, isComplete, balanceLagMs(ctx));
  const window = { ...payments, ...seen, last: seen.after };
  return hasProblem(seen.shown) ? { ...window, ...(await confirmedPayments(ctx, window, round)) } : window;
}

/**
 * The numbers that show one more payment of each kind, while those before it are still booked as they were. A server that books later
 * than the limit, or several at a time, does not show it. A rejected payment confirms nothing.
 */
async function confirmedPayments(
  ctx: CheckContext,
  window: PaymentWindow,
  round: number,
): Promise<Pick<PaymentWindow, 'shown' | 'last'>> {
  const { withdrawals, settlements, before, shown } = window;
  const withdrawal = withdrawals.length > 0 ? await payOnceMore(ctx, 'withdrawal', round) : null;
  const settlement = settlements.length > 0 ? await payOnceMore(ctx, 'settlement', round) : null;
  const isRejected = (withdrawals.length > 0 && !withdrawal) || (settlements.length > 0 && !settlement);
  if (isRejected) return { shown: new Map(), last: window.last };
  const expected = expectedIn({
    ...window,
    withdrawals: [...withdrawals, ...(withdrawal ? [withdrawal] : [])],
    settlements: [...settlements, ...(settlement ? [settlement] : [])],
  });
  const isShown = (times: readonly number[], earlier: readonly number[], isPaid: boolean) =>
    earlier.every((each, at) => times[at] === each) &&
    (!isPaid || earlier.every((each) => each === 0) || (times.at(-1) ?? 0) > 0);
  const look = async () => {
    const last = await readShownBalances(ctx);
    const now = shownPayments(ctx, expected, before.balances, last.balances);
    const confirmed = [...shown].filter(([place, booked]) => {
      const later = now.get(place);
      return (
        later !== undefined &&
        isShown(later.withdrawals, booked.withdrawals, withdrawal !== null) &&
        isShown(later.settlements, booked.settlements, settlement !== null) &&
        later.rejected === booked.rejected
      );
    });
    return { last, shown: new Map(confirmed) };
  };
  return await pollUntil(ctx, look, (confirmed) => confirmed.shown.size === shown.size, balanceLagMs(ctx));
}
