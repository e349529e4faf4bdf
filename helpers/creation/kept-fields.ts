import { postInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { invoiceIn, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isMovedToWorkday } from '../data/due-dates.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { unmarkedAmount, validBody } from '../data/invoice-body.ts';
import { expectFieldPreserved } from '../fixtures/created-invoice.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';

export const minimalBody = (lab: CheckContext) => {
  const { sellerId, buyerId, dueDate } = validBody(lab);
  return { sellerId, buyerId, amount: unmarkedAmount(lab), dueDate };
};

/** Where a server refuses what it may refuse, there is nothing to keep. What is only `passing` is deleted again. */
export async function expectKeptIfAccepted(
  lab: CheckContext,
  changes: Partial<InvoiceBody>,
  fields: readonly ('amount' | 'dueDate' | 'currency')[],
  passing = false,
): Promise<ApiResponse> {
  const body = { ...validBody(lab), ...changes };
  const answer = await postInvoice(lab, body);
  if (!isSuccess(answer)) return answer;
  const invoice = await resolveCreatedInvoice(lab, body, answer);
  try {
    for (const field of fields) {
      if (field === 'dueDate' && isMovedToWorkday(body.dueDate, await dueDateOf(lab, invoice))) continue;
      await expectFieldPreserved(lab, invoice, field, String(body[field]));
    }
  } finally {
    if (passing && isSuccess(await performAction(lab, 'delete', invoice.id))) lab.run.recordDeleted(invoice.id);
  }
  return answer;
}

/** As the answer to its creation tells it, or else as it is seen. */
async function dueDateOf(lab: CheckContext, { id, created }: Invoice): Promise<unknown> {
  return invoiceIn(created)?.dueDate ?? (await findInvoice(lab, id)).record?.dueDate;
}
