import { postInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { invoiceIn, isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { movedToWorkday } from '../data/due-dates.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { unmarkedSum, validBody } from '../data/invoice-body.ts';
import { expectKept } from '../fixtures/created-invoice.ts';
import { perform } from '../invoices/acting-party.ts';
import { look } from '../invoices/find-invoice.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { invoiceOf } from '../invoices/invoices.ts';

export const requiredOnly = (lab: Lab) => {
  const { sellerId, buyerId, dueDate } = validBody(lab);
  return { sellerId, buyerId, amount: unmarkedSum(lab), dueDate };
};

/** Where a server refuses what it may refuse, there is nothing to keep. What is only `passing` is deleted again. */
export async function expectKeptIfAccepted(
  lab: Lab,
  changes: Partial<InvoiceBody>,
  fields: readonly ('amount' | 'dueDate' | 'currency')[],
  passing = false,
): Promise<ApiResponse> {
  const body = { ...validBody(lab), ...changes };
  const answer = await postInvoice(lab, body);
  if (!isSuccess(answer)) return answer;
  const invoice = await invoiceOf(lab, body, answer);
  try {
    for (const field of fields) {
      if (field === 'dueDate' && movedToWorkday(body.dueDate, await dueDateOf(lab, invoice))) continue;
      await expectKept(lab, invoice, field, String(body[field]));
    }
  } finally {
    if (passing && isSuccess(await perform(lab, 'delete', invoice.id))) lab.run.removed(invoice.id);
  }
  return answer;
}

/** As the answer to its creation tells it, or else as it is seen. */
async function dueDateOf(lab: Lab, { id, created }: Invoice): Promise<unknown> {
  return invoiceIn(created)?.dueDate ?? (await look(lab, id)).record?.dueDate;
}
