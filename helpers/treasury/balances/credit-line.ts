import { bodyMember, isSuccess } from '../../api/responses.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { formatAmount } from '../../data/amounts.ts';
import { performAction } from '../../invoices/acting-party.ts';
import { createInvoiceInState, ifReachable } from '../../invoices/invoices.ts';

/** More than a line of credit covers, in numbers of what there is; a server may limit the amounts of invoices to less. */
const CREDIT_EXCEEDING_FACTORS = [1000, 10];

/** In cents. */
const PROBE_CENTS = 100;

/** Whether a balance that is overdrawn pays a little more, and not without end. `most` is what it held before, in cents. */
export async function hasCreditLine(ctx: CheckContext, most: number): Promise<boolean> {
  const settled = async (cents: number) => {
    const [invoice] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount: formatAmount(cents) }));
    return invoice && (await performAction(ctx, 'settle', invoice.id));
  };
  for (const times of CREDIT_EXCEEDING_FACTORS) {
    const response = await settled(most * times);
    if (!response) continue;
    if (response.status !== 412 || bodyMember(response, 'code') !== 'TREAS007') return false;
    const little = await settled(PROBE_CENTS);
    return little !== undefined && isSuccess(little);
  }
  return false;
}
