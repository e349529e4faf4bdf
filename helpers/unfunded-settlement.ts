import { asAmount } from './amounts.ts';
import type { Answer } from './answers.ts';
import { amountsOf } from './funds.ts';
import { type Invoice, reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { notApplicable } from './not-judged.ts';
import { treasury } from './operations.ts';

/** More than any sandbox is filled with, in cents. */
export const MOST_CENTS = 10 ** 13;

export interface Unfunded {
  /** APPROVED, of a cent more than the largest number of the buyer's balance. */
  invoice: Invoice;
  amount: string;
  /** In cents, and covered. */
  most: number;
}

/** An invoice that is ready for a payment which the buyer cannot cover. Throws NotApplicable where none can be had. */
export async function unfundedInvoice(lab: Lab): Promise<Unfunded> {
  const most = Math.max(0, ...amountsOf(await buyersBalance(lab)).values());
  if (most === 0 || most > MOST_CENTS) notApplicable("the buyer's balance shows no funds, or no end of them");
  const amount = asAmount(most + 1);
  const [invoice] = await whereReachable(() => reach(lab, 'APPROVED', { amount }));
  if (!invoice) return notApplicable(`no approved invoice of ${amount} can be had`);
  return { invoice, amount, most };
}

export async function buyersBalance(lab: Lab): Promise<Answer> {
  return await treasury(lab, 'treasuryBalance', { as: lab.who('buyer') });
}

/** Throws NotApplicable where a settlement was refused with another status than missing funds are. */
export function expectRefusedForFunds(answer: Answer): void {
  if (answer.status !== 412)
    notApplicable(`it is refused with ${answer.status}, for another reason than missing funds`);
}
