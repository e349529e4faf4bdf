import { type ApiResponse, invoiceIn, isSuccess, type JsonObject } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check-context.ts';
import { replayDuplicatesOf } from '../creation/own-duplicates.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import {
  findCreatedInvoice,
  isCreatedFrom,
  recentInvoicesReader,
  skipUnlessListedFirst,
} from '../invoices/find-invoice.ts';
import { type Invoice, resolveCreatedInvoice } from '../invoices/invoices.ts';

/** A creation that was repeated. */
export interface RepeatedCreation {
  body: InvoiceBody;
  invoice: Invoice;
  /** What came last. */
  last: ApiResponse;
}

const MAX_ATTEMPTS = 3;

/** "A repeated createRequestId returns the original response with no new invoice": a creation that is repeated leaves one. Throws a Breach. */
export async function expectSingleInvoice(ctx: CheckContext, repeated: () => Promise<RepeatedCreation>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { body, invoice, last } = await repeated();
    await findCreatedInvoice(ctx, body);
    const ofBody = (record: JsonObject) => isCreatedFrom(record, body);
    const { records } = await pollUntil(ctx, recentInvoicesReader(ctx), (seen) => seen.records.some(ofBody));
    // Pages may move on between two looks: the same invoice on both is still one.
    const copies = await replayDuplicatesOf(ctx, records, body);
    if (copies.size === 0) await skipUnlessListedFirst(ctx, invoice, records);
    // Others may make one of the same sum and date once, but hardly each time; what the answer itself names, they have not made.
    const named = isSuccess(last) ? invoiceIn(last)?.id : undefined;
    const chance = copies.size > 1 && (named === undefined || String(named) === invoice.id);
    if (chance && tries < MAX_ATTEMPTS) continue;
    const because = `there are ${copies.size}: ${[...copies].join(', ')}`;
    return expectThat(ctx, copies.size === 1, last, `one invoice of requestId ${body.requestId}`, because);
  }
}

/** Keeps track of the invoice that a repetition names where it is another one than the original's, and tells its id. */
export async function trackOtherInvoice(
  ctx: CheckContext,
  body: InvoiceBody,
  invoice: Invoice,
  repetition: ApiResponse,
): Promise<string | null> {
  const created = isSuccess(repetition) ? invoiceIn(repetition) : undefined;
  if (!created || String(created.id) === invoice.id) return null;
  await resolveCreatedInvoice(ctx, body, repetition);
  return String(created.id);
}
