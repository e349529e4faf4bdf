import { bodyMember, isSuccess } from '../../api/responses.ts';
import type { CheckContext } from '../../context/check.ts';
import { formatAmount } from '../../data/amounts.ts';
import { performAction } from '../../invoices/acting-party.ts';
import { createInvoiceInState, ifReachable } from '../../invoices/invoices.ts';

/** Multiples of the balance that exceed a credit line. The smaller one is for servers that limit invoice amounts. */
const CREDIT_EXCEEDING_FACTORS = [1000, 10];

/** In cents. */
const PROBE_CENTS = 100;

/** Whether an exhausted balance still pays a small amount but not a very large one. `most` is the earlier balance in cents. */
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
