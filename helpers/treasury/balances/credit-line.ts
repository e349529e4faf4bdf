import { bodyMember, isSuccess } from '../../api/responses.ts';
import type { Lab } from '../../context/check-context.ts';
import { asAmount } from '../../data/amounts.ts';
import { perform } from '../../invoices/acting-party.ts';
import { reach, whereReachable } from '../../invoices/invoices.ts';

/** More than a line of credit covers, in numbers of what there is; a server may limit the amounts of invoices to less. */
const BEYOND_CREDIT = [1000, 10];

/** In cents. */
const LITTLE = 100;

/** Whether a balance that is overdrawn pays a little more, and not without end. `most` is what it held before, in cents. */
export async function paysOnCredit(lab: Lab, most: number): Promise<boolean> {
  const settled = async (cents: number) => {
    const [invoice] = await whereReachable(() => reach(lab, 'APPROVED', { amount: asAmount(cents) }));
    return invoice && (await perform(lab, 'settle', invoice.id));
  };
  for (const times of BEYOND_CREDIT) {
    const answer = await settled(most * times);
    if (!answer) continue;
    if (answer.status !== 412 || bodyMember(answer, 'code') !== 'TREAS007') return false;
    const little = await settled(LITTLE);
    return little !== undefined && isSuccess(little);
  }
  return false;
}
