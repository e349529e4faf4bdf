import type { ApiResponse } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { sendAction } from '../api/operations.ts';
import type { ActionOptions } from '../api/requests.ts';
import type { CheckContext } from '../context/check.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { partyFor, retryWhileLocked } from '../invoices/acting-party.ts';
import { hasReached, waitUntilLeft } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, recordInvoiceState } from '../invoices/invoices.ts';

export interface ReplayableSubmission {
  /** The submitted invoice. */
  invoice: Invoice;
  first: ApiResponse;
  /** Sends the same request again, in the context of another check or with changed options. */
  replay: (replaying: CheckContext, more?: ActionOptions) => Promise<ApiResponse>;
}

/**
 * Submits a new invoice with a requestId for later replays; `changes` apply to the creation. Throws NotApplicable if no
 * invoice is a DRAFT.
 */
export async function submitWithRequestId(
  ctx: CheckContext,
  changes: Partial<InvoiceBody> = {},
): Promise<ReplayableSubmission> {
  if (!(await runActionControl(ctx, 'submit'))) throw new NotApplicable('the server creates no invoice in state DRAFT');
  const invoice = await createInvoiceInState(ctx, 'DRAFT', changes);
  const as = ctx.credentials(partyFor(ctx, 'submit'));
  let extra = { as, requestId: ctx.createRequestId() };
  const first = await retryWhileLocked(async () => {
    // The contract leaves open how the server treats the requestId of a rejected request.
    extra = { as, requestId: ctx.createRequestId() };
    return await sendAction(ctx, 'submit', invoice.id, extra);
  });
  await expectOffered(ctx, invoice, first, 'a submission with a requestId');
  const { record } = await waitUntilLeft(ctx, invoice.id, { from: 'DRAFT', by: 'submit' });
  invoice.state = hasReached(record?.status, 'SUBMITTED') ? record.status : 'SUBMITTED';
  recordInvoiceState(ctx, invoice);
  return {
    invoice,
    first,
    replay: (replaying, more = {}) => sendAction(replaying, 'submit', invoice.id, { ...extra, ...more }),
  };
}
