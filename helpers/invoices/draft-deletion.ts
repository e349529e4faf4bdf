import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { performOnNewInvoice } from './action-on-new-invoice.ts';
import { findSettledInvoice, waitUntilLeft } from './find-invoice.ts';
import { createInvoiceInState, type Invoice } from './invoices.ts';

/** Deletes a new draft. Throws NotApplicable if the server rejects that or keeps the invoice. */
export async function deleteNewDraft(ctx: CheckContext): Promise<{ invoice: Invoice; response: ApiResponse }> {
  const { invoice, response } = await performOnNewInvoice(ctx, 'delete', async (ctx) => {
    const made = await createInvoiceInState(ctx, 'DRAFT');
    // An invoice that is not visible yet would look deleted.
    await findSettledInvoice(ctx, made);
    return made;
  });
  if (!isSuccess(response)) notApplicable('the server rejects the delete action', { judgedBy: 'LIFE-01.draft-delete' });
  const { record } = await waitUntilLeft(ctx, invoice.id, { from: 'DRAFT', by: 'delete', mayBeGone: true });
  if (record) notApplicable(`the server keeps a deleted draft as ${String(record.status)}`);
  ctx.run.leftovers.recordDeleted(invoice.id);
  return { invoice, response };
}
