import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import type { CreateInput } from '../../service/inputs.ts';
import { rejections } from '../../service/rejection.ts';
import { amount, currency, dueDate, organizationId, parseOrReject, requestId } from './fields.ts';

const createBody = z.strictObject({
  sellerId: organizationId,
  buyerId: organizationId,
  amount,
  dueDate,
  currency: currency.optional(),
  description: z.string().optional(),
  requestId: requestId.optional(),
});

/** "Any body field that is not declared, `invoiceNumber` included, is rejected with 400. A missing required field or an invalid amount yields INV002." */
export function validateCreate({ body }: Call): CreateInput {
  return parseOrReject(createBody, body, rejections.invalidInvoice);
}
