import { sandboxHeader } from '../../api/environment-header.ts';
import { type ApiResponse, invoiceIn, isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check.ts';
import { centsOf, formatAmount, ONE_UNIT_CENTS } from '../../data/amounts.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { performAction } from '../../invoices/acting-party.ts';
import { waitUntilLeft } from '../../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../../invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../lifecycle/unchanged-invoices.ts';
import { expectListedAsRead } from '../../lists/list-consistency.ts';
import { centsByPlace } from '../balances/balance.ts';
import { type PartyBalances, readPartyBalances } from '../balances/party-balances.ts';
import { expectNoOverdraft, INSUFFICIENT_FUNDS, isLargestAmount } from './overdraft.ts';
import { expectInsufficientFundsCode, expectNoInternalError } from './payment-rejection.ts';
import { readBuyerBalance, skipUnlessRejectedForFunds } from './uncovered-invoice.ts';

/** Expects rejections for a settlement of one cent more than the funds, and for an amount that overflows 32 bits. */
export async function expectUncoveredSettlementRejected(ctx: CheckContext, invoice: Invoice): Promise<void> {
  const { amount } = invoice.body;
  const most = centsOf(amount) - 1;
  const before = await readBuyerBalance(ctx);
  const funds = await readPartyBalances(ctx);
  const response = await performAction(ctx, 'settle', invoice.id);
  if (isSuccess(response)) {
    await expectPaymentMade(ctx, response, invoice, before);
    return await expectNoOverdraft(ctx, before, response, amount, { party: 'buyer' });
  }
  const settled = async (sum: string) => {
    const [other] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount: sum }));
    return other ? await performAction(ctx, 'settle', other.id) : null;
  };
  await expectNoInternalError(
    ctx,
    response,
    () => performAction(ctx, 'settle', invoice.id),
    () => settled(withdrawalAmountFor(ctx, 'covered').text),
  );
  skipUnlessRejectedForFunds(response);
  await expectInsufficientFundsCode(ctx, response, () => settled(payableAmount(before)));
  await expectInvoiceUnchanged(ctx, invoice, null, response);
  await expectListedAsRead(ctx, invoice.id, response);
  // A repeated request must not be accepted: the funds are the same.
  const again = await performAction(ctx, 'settle', invoice.id, { headers: sandboxHeader });
  if (isSuccess(again))
    return await expectNoOverdraft(ctx, before, again, amount, { party: 'buyer', rejected: response });
  await expectInvoiceUnchanged(ctx, invoice, null, again);
  await expectNoFundsMoved(ctx, funds, most + 1, response);
  const wrapped = await settleOverflowingAmount(ctx, most);
  if (wrapped && isSuccess(wrapped.response))
    await expectNoOverdraft(ctx, before, wrapped.response, wrapped.amount, { party: 'buyer', rejected: response });
}

/**
 * Throws a Breach if a settlement beyond the funds was accepted and never takes effect, although a covered settlement returns the
 * same status and settles at once. A queued payment returns another status.
 */
async function expectPaymentMade(
  ctx: CheckContext,
  uncovered: ApiResponse,
  invoice: Invoice,
  before: ApiResponse,
): Promise<void> {
  const { isMet, response } = await waitUntilLeft(ctx, invoice.id, { from: invoice.state, by: 'settle' });
  if (isMet) return;
  const [covered] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount: payableAmount(before) }));
  const control = covered && (await performAction(ctx, 'settle', covered.id));
  if (!control || control.status !== uncovered.status || invoiceIn(control)?.status !== 'SETTLED') return;
  const because = `the server accepted the settlement, but the invoice stays ${invoice.state}`;
  throw breach(ctx, uncovered, INSUFFICIENT_FUNDS, because, [response, control]);
}

/** Negative as a signed 32-bit number. */
const INT32_OVERFLOW_CENTS = 3_000_000_000;

/** Settles an amount beyond the funds that overflows a signed 32-bit number of cents. Null if no such invoice can be created. */
async function settleOverflowingAmount(
  ctx: CheckContext,
  most: number,
): Promise<{ response: ApiResponse; amount: string } | null> {
  let cents = INT32_OVERFLOW_CENTS;
  while (cents <= most) cents += 2 ** 32;
  const amount = formatAmount(cents);
  const [invoice] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount }));
  return invoice ? { response: await performAction(ctx, 'settle', invoice.id), amount } : null;
}

/** Throws a Breach if a rejected settlement changed a party's funds by its amount, once or twice, or emptied them. */
async function expectNoFundsMoved(
  ctx: CheckContext,
  before: PartyBalances,
  cents: number,
  rejection: ApiResponse,
): Promise<void> {
  const now = await readPartyBalances(ctx);
  for (const party of ['seller', 'buyer'] as const) {
    const own = new Map([...before].filter(([place]) => place.startsWith(party)));
    const moved = [...own].find(([place, then]) => {
      const left = now.get(place) ?? then;
      const by = Math.abs(left - then);
      return isLargestAmount(own, place) && (by === cents || by === 2 * cents || left === 0);
    });
    if (!moved) continue;
    const [place, then] = moved;
    const because = `the server rejected the settlement, but ${place} changed from ${formatAmount(then)} to ${formatAmount(now.get(place) ?? then)}`;
    throw breach(ctx, rejection, 'a rejection that moves no money', because);
  }
}

/** The largest amount of a balance minus one unit, formatted. */
function payableAmount(balance: ApiResponse): string {
  return formatAmount(Math.max(0, ...centsByPlace(balance).values()) - ONE_UNIT_CENTS);
}
