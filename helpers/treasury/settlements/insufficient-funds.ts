import { treasury } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { Lab } from '../../context/check-context.ts';
import { asAmount } from '../../data/amounts.ts';
import { borrowingOf, lendingOwn } from '../../fixtures/borrowed-invoices.ts';
import { type Invoice, reach, whereReachable } from '../../invoices/invoices.ts';
import { amountsOf } from '../balances/balance.ts';

/** More than any sandbox is filled with, in cents. */
export const MOST_CENTS = 10 ** 13;

/** An approved invoice of a cent more than the largest number of the buyer's balance. Throws NotApplicable where none can be had. */
export async function unfundedInvoice(lab: Lab): Promise<Invoice> {
  const most = Math.max(0, ...amountsOf(await buyersBalance(lab)).values());
  if (most === 0 || most > MOST_CENTS) notApplicable("the buyer's balance shows no funds, or no end of them");
  const amount = asAmount(most + 1);
  const [invoice] = await whereReachable(() => reach(lab, 'APPROVED', { amount }));
  return invoice ?? notApplicable(`no approved invoice of ${amount} can be had`);
}

const KIND = 'unfunded';

/**
 * Lends such an invoice to a check that only needs to see it refused. Not to be asked for by a check that has the funds to itself: the
 * check that has the invoice waits for them.
 */
export async function borrowingUnfunded<T>(lab: Lab, use: (invoice: Invoice) => Promise<T>): Promise<T> {
  return await borrowingOf(lab, { kind: KIND, state: 'APPROVED', make: () => unfundedInvoice(lab) }, use);
}

/** Lets a check make such an invoice and use it. `use` tells which it was. */
export async function lendingUnfunded(lab: Lab, use: () => Promise<Invoice>): Promise<void> {
  await lendingOwn(lab, KIND, use);
}

export async function buyersBalance(lab: Lab): Promise<ApiResponse> {
  return await treasury(lab, 'treasuryBalance', { as: lab.who('buyer') });
}

/** Throws NotApplicable where a settlement was refused with another status than missing funds are. */
export function expectRefusedForFunds(answer: ApiResponse): void {
  if (answer.status !== 412)
    notApplicable(`it is refused with ${answer.status}, for another reason than missing funds`);
}
