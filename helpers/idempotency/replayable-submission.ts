import type { ApiResponse } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { type ActionOptions, sendAction } from '../api/operations.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { partyFor, retryWhileLocked } from '../invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, recordInvoiceState } from '../invoices/invoices.ts';

export interface ReplayableSubmission {
  invoice: Invoice;
  first: ApiResponse;
  /** The same request once more, in another check's name or with something else about it. */
  replay: (replaying: CheckContext, more?: ActionOptions) => Promise<ApiResponse>;
}

/**
 * A submission with a createRequestId, to be repeated, of an invoice that was created with these changes. Throws NotApplicable where no
 * invoice is ever a DRAFT.
 */
export async function submitWithRequestId(
  ctx: CheckContext,
  changes: Partial<InvoiceBody> = {},
): Promise<ReplayableSubmission> {
  if (!(await runActionControl(ctx, 'submit'))) throw new NotApplicable('no invoice is ever a DRAFT');
  const invoice = await createInvoiceInState(ctx, 'DRAFT', changes);
  const as = ctx.credentials(partyFor(ctx, 'submit'));
  let extra = { as, requestId: ctx.createRequestId() };
  const first = await retryWhileLocked(async () => {
    // What is said of a createRequestId whose request was refused is not shown.
    extra = { as, requestId: ctx.createRequestId() };
    return await sendAction(ctx, 'submit', invoice.id, extra);
  });
  await expectOffered(ctx, invoice, first, 'a submission with a requestId');
  await waitForInvoice(ctx, invoice.id, hasLeftState('DRAFT'));
  recordInvoiceState(ctx, { id: invoice.id, state: 'SUBMITTED' });
  return {
    invoice,
    first,
    replay: (replaying, more = {}) => sendAction(replaying, 'submit', invoice.id, { ...extra, ...more }),
  };
}
