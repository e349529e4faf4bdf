import type { Delivery } from '../../engine/http/webhook-receiver.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResultBy } from '../context/shared-result.ts';
import { mentionsId } from '../data/id-mention.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { ifReachable } from '../invoices/invoices.ts';

/**
 * Whether a delivery names an invoice: by its id or, because the contract does not show the payload, by its number and amount. A number
 * alone may belong to an invoice of another connection.
 */
export async function mentionOf(ctx: CheckContext, id: string): Promise<(delivery: Delivery) => boolean> {
  const { invoiceNumber, amount } = await numberAndAmount(ctx, id);
  const isNumbered = typeof invoiceNumber === 'string' && invoiceNumber !== '' && typeof amount === 'string';
  return ({ body }) => mentionsId(body, id) || (isNumbered && mentionsId(body, invoiceNumber) && body.includes(amount));
}

const numberAndAmount = sharedResultBy(async (ctx, id: string) => {
  const [found] = await ifReachable(() => findInvoice(ctx, id));
  return { invoiceNumber: found?.record?.invoiceNumber, amount: found?.record?.amount };
});
