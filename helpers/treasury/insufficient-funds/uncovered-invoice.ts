import { type ApiResponse, describeResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { formatAmount } from '../../data/amounts.ts';
import { shareOwnInvoice, withSharedInvoiceFrom } from '../../fixtures/borrowed-invoices.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../../invoices/invoices.ts';
import { centsByPlace } from '../balances/balance.ts';

/** In cents, more than any sandbox holds. */
export const MAX_SANDBOX_CENTS = 10 ** 13;

/**
 * An approved invoice of one cent more than the largest number of the buyer's balance. Throws NotApplicable if the server
 * allows none.
 */
export async function createUncoveredInvoice(ctx: CheckContext): Promise<Invoice> {
  const balance = await readBuyerBalance(ctx);
  if (!isSuccess(balance))
    notApplicable(`the server rejects the balance request of the buyer: ${describeResponse(balance)}`);
  const most = Math.max(0, ...centsByPlace(balance).values());
  if (most === 0 || most > MAX_SANDBOX_CENTS)
    notApplicable(
      "the buyer's balance shows no funds, or more than the largest amount that the kit puts on an invoice",
    );
  const amount = formatAmount(most + 1);
  const [invoice] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount }));
  return invoice ?? notApplicable(`an invoice of ${amount} cannot be brought to APPROVED`);
}

const UNCOVERED_KIND = 'uncovered';

/**
 * Lends such an invoice to a check that only needs its rejected settlement. Do not call it with the balance lock held, because
 * the lending check waits for that lock.
 */
export async function borrowUncoveredInvoice<T>(ctx: CheckContext, use: (invoice: Invoice) => Promise<T>): Promise<T> {
  return await withSharedInvoiceFrom(
    ctx,
    { kind: UNCOVERED_KIND, state: 'APPROVED', create: () => createUncoveredInvoice(ctx) },
    use,
  );
}

/** Lets a check create and use such an invoice and lend it to others; `use` returns it. */
export async function lendUncoveredInvoice(ctx: CheckContext, use: () => Promise<Invoice>): Promise<void> {
  await shareOwnInvoice(ctx, UNCOVERED_KIND, use);
}

export async function readBuyerBalance(ctx: CheckContext): Promise<ApiResponse> {
  return await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials('buyer') });
}

/** Throws NotApplicable if a settlement was rejected with a status other than 412. */
export function skipUnlessRejectedForFunds(response: ApiResponse): void {
  if (response.status !== 412)
    notApplicable(
      `the server rejects the settlement with ${response.status}, perhaps for a reason other than insufficient funds`,
    );
}
