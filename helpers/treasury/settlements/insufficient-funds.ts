import { sendTreasuryRequest } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { formatAmount } from '../../data/amounts.ts';
import { shareOwnInvoice, withSharedInvoiceFrom } from '../../fixtures/borrowed-invoices.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../../invoices/invoices.ts';
import { centsByPlace } from '../balances/balance.ts';

/** More than any sandbox is filled with, in cents. */
export const MAX_SANDBOX_CENTS = 10 ** 13;

/** An approved invoice of a cent more than the largest number of the buyer's balance. Throws NotApplicable where none can be had. */
export async function createUnfundedInvoice(ctx: CheckContext): Promise<Invoice> {
  const most = Math.max(0, ...centsByPlace(await readBuyerBalance(ctx)).values());
  if (most === 0 || most > MAX_SANDBOX_CENTS) notApplicable("the buyer's balance shows no funds, or no end of them");
  const amount = formatAmount(most + 1);
  const [invoice] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount }));
  return invoice ?? notApplicable(`no approved invoice of ${amount} can be had`);
}

const UNFUNDED_KIND = 'unfunded';

/**
 * Lends such an invoice to a check that only needs to see it refused. Not to be asked for by a check that has the funds to itself: the
 * check that has the invoice waits for them.
 */
export async function borrowUnfundedInvoice<T>(ctx: CheckContext, use: (invoice: Invoice) => Promise<T>): Promise<T> {
  return await withSharedInvoiceFrom(
    ctx,
    { kind: UNFUNDED_KIND, state: 'APPROVED', create: () => createUnfundedInvoice(ctx) },
    use,
  );
}

/** Lets a check make such an invoice and use it. `use` tells which it was. */
export async function lendUnfundedInvoice(ctx: CheckContext, use: () => Promise<Invoice>): Promise<void> {
  await shareOwnInvoice(ctx, UNFUNDED_KIND, use);
}

export async function readBuyerBalance(ctx: CheckContext): Promise<ApiResponse> {
  return await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials('buyer') });
}

/** Throws NotApplicable where a settlement was refused with another status than missing funds are. */
export function skipUnlessRejectedForFunds(response: ApiResponse): void {
  if (response.status !== 412)
    notApplicable(`it is refused with ${response.status}, for another reason than missing funds`);
}
