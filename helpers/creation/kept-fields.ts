import { postInvoice } from '../api/operations.ts';
import { type ApiResponse, invoiceIn, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { isMovedToWorkday } from '../data/due-dates.ts';
import { type InvoiceBody, unmarkedAmount, validBody } from '../data/invoice-body.ts';
import { expectFieldsPreserved, expectShownByCreation, type SentValues } from '../fixtures/created-invoice.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, resolveCreatedInvoice } from '../invoices/invoices.ts';

export const minimalBody = (ctx: CheckContext) => {
  const { sellerId, buyerId, dueDate } = validBody(ctx);
  return { sellerId, buyerId, amount: unmarkedAmount(ctx), dueDate };
};

/**
 * Throws a Breach if an accepted creation changes one of the fields; the server may reject the creation. With
 * `isDeletedAfterwards`, it deletes the invoice.
 */
export async function expectKeptIfAccepted(
  ctx: CheckContext,
  changes: Partial<InvoiceBody>,
  fields: readonly ('amount' | 'dueDate' | 'currency')[],
  { isDeletedAfterwards = false } = {},
): Promise<ApiResponse> {
  const body = { ...validBody(ctx), ...changes };
  const response = await postInvoice(ctx, body);
  if (!isSuccess(response)) return response;
  const invoice = await resolveCreatedInvoice(ctx, body, response);
  try {
    const kept: SentValues = {};
    for (const field of fields) {
      if (field === 'dueDate' && isMovedToWorkday(body.dueDate, await dueDateOf(ctx, invoice))) continue;
      kept[field] = String(body[field]);
    }
    await expectFieldsPreserved(ctx, invoice, kept);
  } finally {
    if (isDeletedAfterwards && isSuccess(await performAction(ctx, 'delete', invoice.id)))
      ctx.run.leftovers.recordDeleted(invoice.id);
  }
  return response;
}

/** The same for a due date, judged only by the response to the creation, to save a read. The caller judges what a list shows. */
export async function expectDueDateShownIfAccepted(ctx: CheckContext, dueDate: string): Promise<ApiResponse> {
  const body = { ...validBody(ctx), dueDate };
  const response = await postInvoice(ctx, body);
  if (!isSuccess(response)) return response;
  const invoice = await resolveCreatedInvoice(ctx, body, response);
  if (!isMovedToWorkday(dueDate, invoiceIn(response)?.dueDate)) expectShownByCreation(ctx, invoice, 'dueDate', dueDate);
  return response;
}

/** The due date in the creation response, or else in a read. */
async function dueDateOf(ctx: CheckContext, { id, created }: Invoice): Promise<unknown> {
  return invoiceIn(created)?.dueDate ?? (await findInvoice(ctx, id)).record?.dueDate;
}
