import { sendAction, sendActionsSimultaneously } from '../../api/operations.ts';
import { type ApiResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest, treasuryActor, withdrawDifferentSimultaneously } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { amountsSettledSince } from '../../context/invoice-history.ts';
import { centsOf, formatAmount } from '../../data/amounts.ts';
import { raisedWithdrawalCents } from '../../data/withdrawal-amounts.ts';
import { takeSpareInvoice } from '../../fixtures/spare-invoices.ts';
import { partyFor } from '../../invoices/acting-party.ts';
import { waitForArrival } from '../../invoices/find-invoice.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  mayReach,
  recordInvoiceState,
} from '../../invoices/invoices.ts';
import { calibrateRanges } from '../../invoices/range-calibration.ts';
import { settlementLagMs, waitForEarlierPayments } from '../balances/balance.ts';
import type { ShownBalances } from '../balances/party-balances.ts';
import { recordAcceptedExcess } from '../insufficient-funds/accepted-excess.ts';

/** An accepted payment. */
export interface Payment {
  cents: number;
  response: ApiResponse;
}

export interface NamedWithdrawal extends Payment {
  requestId: string;
}

const SETTLEMENTS = 3;

/** Added to the first amount, in cents. Powers of two, so that every subset has its own sum. */
const AMOUNT_STEPS = [2, 4, 8];
const MIN_CENTS = 431;
const START_COUNT = 60;
/** Larger than the steps, so that no two rounds share an amount. */
const ROUND_SHIFT = 20;

/** Withdrawal amounts that nothing else in the run uses. */
function ownAmounts(ctx: CheckContext, round: number): number[] {
  const start = (Number.parseInt(ctx.run.plan.runId.slice(0, 8), 16) + ROUND_SHIFT * round) % START_COUNT;
  return AMOUNT_STEPS.map((step) => raisedWithdrawalCents(ctx.run) + MIN_CENTS + 2 * start + step);
}

/** Approved invoices in the default currency, spare ones if there are any. Empty if the server has none. */
export async function createPayableInvoices(ctx: CheckContext): Promise<Invoice[]> {
  if (!mayReach(ctx, 'SETTLED')) return [];
  // A check of withdrawals may be the first in a run that creates an invoice.
  await calibrateRanges(ctx);
  const found = await Promise.all(
    Array.from({ length: SETTLEMENTS }, async () => {
      const spare = await takeSpareInvoice(ctx);
      const isUsual = spare && spare.body.currency === undefined && !spare.history;
      return isUsual ? [spare] : await ifReachable(() => createInvoiceInState(ctx, 'APPROVED'));
    }),
  );
  return found.flat();
}

/** Concurrent withdrawals, each with its own requestId. The accepted ones. */
export async function withdrawConcurrently(ctx: CheckContext, round: number): Promise<NamedWithdrawal[]> {
  if (!ctx.target.operations.treasuryWithdraw || ctx.target.simulatesWithdrawals) return [];
  const sums = ownAmounts(ctx, round);
  const sent = sums.map((cents) => ({ requestId: ctx.createRequestId(), amount: formatAmount(cents) }));
  const responses = await withdrawDifferentSimultaneously(ctx, sent);
  return sent.flatMap(({ requestId, amount }, at) => {
    const response = responses[at];
    return response && isSuccess(response) ? [{ requestId, cents: centsOf(amount), response }] : [];
  });
}

/** Whether a payment was accepted for later (202), so that it may still fail. */
export function isQueued({ response }: Payment): boolean {
  return response.status === 202;
}

/** Sends a withdrawal once more. A queued one may not have succeeded before the balance shows it. */
export async function replayWithdrawal(ctx: CheckContext, withdrawal: NamedWithdrawal): Promise<void> {
  const { requestId, cents } = withdrawal;
  if (isQueued(withdrawal)) await waitForEarlierPayments(ctx);
  await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, formatAmount(cents));
}

/** Settles different invoices at the same moment, and returns the payments of those that are SETTLED afterwards. */
export async function settleConcurrently(ctx: CheckContext, invoices: readonly Invoice[]): Promise<Payment[]> {
  if (invoices.length === 0) return [];
  const as = ctx.credentials(partyFor(ctx, 'settle'));
  const responses = await sendActionsSimultaneously(
    ctx,
    invoices.map(({ id }) => ({ action: 'settle', id, as })),
  );
  const paid = await Promise.all(
    invoices.map(async ({ id, body }, at): Promise<Payment[]> => {
      const response = responses[at];
      if (!response || !isSuccess(response) || !(await waitForArrival(ctx, id, 'SETTLED')).isMet) return [];
      recordInvoiceState(ctx, { id, state: 'SETTLED' });
      return [{ cents: centsOf(body.amount), response }];
    }),
  );
  return paid.flat();
}

/** The part of a rejected withdrawal that exceeds the funds, in cents. */
const EXCESS_CENTS = 137;

/**
 * How much a rejected withdrawal may exceed the funds, in cents, so that the balance need not show the latest settlements yet. Null if
 * these invoices could not pay it.
 */
export function excessOverHiddenFunds(ctx: CheckContext, invoices: readonly Invoice[]): number | null {
  const latest = amountsSettledSince(ctx, performance.now() - settlementLagMs(ctx));
  const excess = EXCESS_CENTS + sumOf(latest.map(centsOf));
  return excess <= sumOf(invoices.map(({ body }) => centsOf(body.amount))) / 2 ? excess : null;
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/** A withdrawal of a little more than the funds, which these invoices could pay; null unless it is rejected with 412. */
export async function withdrawTooMuch(
  ctx: CheckContext,
  { balances, responses }: ShownBalances,
  invoices: readonly Invoice[],
): Promise<Payment | null> {
  const name = treasuryActor(ctx, 'treasuryWithdraw');
  const funds = Math.max(0, ...[...balances].flatMap(([place, cents]) => (place.startsWith(name) ? [cents] : [])));
  if (!ctx.target.operations.treasuryWithdraw || funds === 0) return null;
  const cents = funds + (excessOverHiddenFunds(ctx, invoices) ?? EXCESS_CENTS);
  const extra = { requestId: ctx.createRequestId(), exceedsFunds: true as const };
  const amount = formatAmount(cents);
  const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, amount);
  const before = responses.find(({ request }) => request.actor === name);
  if (isSuccess(response) && before) await recordAcceptedExcess(ctx, { amount, before, response });
  return response.status === 412 ? { cents, response } : null;
}

/** One more withdrawal or settlement, alone. Null if it is not accepted. */
export async function payOnceMore(
  ctx: CheckContext,
  kind: 'withdrawal' | 'settlement',
  round: number,
): Promise<Payment | null> {
  if (kind === 'withdrawal') {
    const cents = (ownAmounts(ctx, round)[0] as number) + 1;
    const requestId = ctx.createRequestId();
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, formatAmount(cents));
    return isSuccess(response) ? { cents, response } : null;
  }
  const [invoice] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED'));
  if (!invoice) return null;
  const response = await sendAction(ctx, 'settle', invoice.id, { as: ctx.credentials(partyFor(ctx, 'settle')) });
  if (!isSuccess(response)) return null;
  recordInvoiceState(ctx, { id: invoice.id, state: 'SETTLED' });
  return { cents: centsOf(invoice.body.amount), response };
}
