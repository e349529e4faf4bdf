import type { ApiResponse } from '../../api/responses.ts';
import { confirmBreach, FOREIGN_PAYMENT } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { formatAmount } from '../../data/amounts.ts';
import { type BookedPayments, type BookingProblem, bookingProblems } from './booked-payments.ts';
import { isQueued, type Payment } from './concurrent-payments.ts';
import { type PaymentWindow, paymentWindows } from './payment-window.ts';

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
  await confirmBreach(ctx, FOREIGN_PAYMENT, async ({ number }) => {
    const windows = await paymentWindows(ctx);
    const window = windows[Math.min(number, windows.length) - 1] as PaymentWindow;
    const payments = question.payments(window);
    const [first, ...others] = payments.map(({ response }) => response);
    skipUnlessPaid(ctx, question.problems, first, window);
    ctx.addEvidence([first, ...others]);
    const shown = [...window.shown].filter(([, booked]) => question.isShown(booked));
    skipUnlessShownInBalance(shown);
    expectNoProblem(ctx, question, window, { first, others, shown });
  });
}

function skipUnlessPaid(
  ctx: CheckContext,
  problems: readonly BookingProblem[],
  first: ApiResponse | undefined,
  { before }: PaymentWindow,
): asserts first is ApiResponse {
  if (first) return;
  notApplicable(
    before.balances.size === 0
      ? NO_AMOUNT
      : [...new Set(problems.map((problem) => missingPayment(ctx, problem)))].join('; '),
  );
}

const NO_AMOUNT =
  'no balance shows an amount; if the server shows one elsewhere, correct operations.treasuryBalance of the target file';

/** Which payment the window lacks, and what the user can change. */
function missingPayment({ target }: CheckContext, problem: BookingProblem): string {
  if (problem.startsWith('settlement'))
    return 'the server settled too few of several APPROVED invoices at once; add funds to the sandbox of the party that settles, or correct operations.settle of the target file';
  if (target.simulatesWithdrawals)
    return 'operations.treasuryWithdraw of the target file says simulated: true, so the kit makes no withdrawals; remove it if the balance shows withdrawals';
  return problem === 'rejected withdrawal paid'
    ? 'the server rejected no withdrawal of more than the funds with 412, which TREAS-01 judges; add funds to the sandbox if the balance is 0, or correct operations.treasuryWithdraw of the target file'
    : 'the server accepted none of several withdrawals at once; add funds to the sandbox, or correct operations.treasuryWithdraw of the target file';
}

function skipUnlessShownInBalance(shown: readonly unknown[]): void {
  if (shown.length === 0) notApplicable('no field of a balance changes by exactly the amounts of these payments');
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
    if (problem === 'withdrawal lost') skipIfStillQueued(window, booked);
    const { before, after, last } = window;
    const [was, is] = [before, after].map(({ balances }) => formatAmount(balances.get(place) ?? 0));
    const because = `${place} went from ${was} to ${is}, a change made up of ${describeBooked(window, booked)} (${problem})`;
    const looks = [after, before, last].flatMap(({ responses }) => responses);
    const isOfPlace = ({ request }: ApiResponse) => place.startsWith(String(request.actor));
    const shows = after.responses.find(isOfPlace) ?? first;
    const evidence = new Set([...looks.filter((each) => each !== shows), first, ...others]);
    throw breach(ctx, shows, `${expected}: ${amounts.join(', ')}`, because, [...evidence]);
  }
}

/** Throws NotApplicable if a withdrawal that the balance lacks was only accepted for later. */
function skipIfStillQueued({ withdrawals }: PaymentWindow, booked: BookedPayments): void {
  if (withdrawals.some((each, at) => booked.withdrawals[at] === 0 && isQueued(each)))
    notApplicable('the server accepts a withdrawal with 202, so it may still fail');
}

/** For example: withdrawals 4.33 × 1, 4.35 × 0 and settlements 120.10 × 1. */
function describeBooked({ withdrawals, settlements, rejected }: PaymentWindow, booked: BookedPayments): string {
  const list = (payments: readonly Payment[], times: readonly number[]) =>
    payments.map(({ cents }, at) => `${formatAmount(cents)} × ${times[at]}`).join(', ');
  const parts = [
    booked.withdrawals.some((times) => times > 0) && `withdrawals ${list(withdrawals, booked.withdrawals)}`,
    booked.settlements.some((times) => times > 0) && `settlements ${list(settlements, booked.settlements)}`,
    rejected && booked.rejected > 0 && `the rejected ${formatAmount(rejected.cents)}`,
  ];
  return parts.filter(Boolean).join(' and ');
}
