import { isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from '../invoices/acting-party.ts';
import { waitUntilLeft } from '../invoices/find-invoice.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { readTotal } from '../invoices/list-page.ts';

/** Deletes a draft after its list was read, so that a server may have cached the total. Throws NotApplicable if it is rejected. */
export async function deleteDraft(ctx: CheckContext, { id }: Invoice): Promise<void> {
  await readTotal(ctx);
  if (!isSuccess(await performAction(ctx, 'delete', id)))
    notApplicable('the server rejects the delete action', { judgedBy: 'LIFE-01.draft-delete' });
  await waitUntilLeft(ctx, id, { from: 'DRAFT', by: 'delete', mayBeGone: true });
  ctx.run.leftovers.recordDeleted(id);
}
