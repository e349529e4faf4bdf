import type { Expectation } from '../../specs/formats/expectation.ts';
import { type ApiResponse, invoiceIn, isSuccess, type JsonObject } from '../api/responses.ts';
import { confirmBreach, FOREIGN_INVOICE } from '../assert/confirm-breach.ts';
import { expectThat } from '../assert/expect.ts';
import { isRejectedOrShows } from '../assert/expectations.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { replayDuplicatesOf } from '../creation/duplicate-creations.ts';
import { type InvoiceBody, isCreatedFrom } from '../data/invoice-body.ts';
import { findCreatedInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, resolveCreatedInvoice } from '../invoices/invoices.ts';
import { expectSameValues } from '../invoices/listed-as-sent.ts';
import { recentInvoicesReader, skipUnlessListedFirst } from '../invoices/recent-invoices.ts';

/** A replayed creation. */
export interface RepeatedCreation {
  body: InvoiceBody;
  invoice: Invoice;
  /** The last response. */
  last: ApiResponse;
}

/**
 * "A repeated requestId returns the original response with no new invoice." Throws a Breach if a replayed creation
 * made more than one invoice.
 */
export async function expectSingleInvoice(ctx: CheckContext, repeated: () => Promise<RepeatedCreation>): Promise<void> {
  await confirmBreach(ctx, FOREIGN_INVOICE, async (attempt) => {
    const { body, invoice, last } = await repeated();
    await findCreatedInvoice(ctx, body);
    const ofBody = (record: JsonObject) => isCreatedFrom(record, body);
    const { records, response } = await pollUntil(
      ctx,
      recentInvoicesReader(ctx),
      (seen) => seen.records.some(ofBody),
      'lists a new invoice',
    );
    // Records may move between pages, so one invoice on two pages counts once.
    const copies = await replayDuplicatesOf(ctx, records, body);
    if (copies.size === 0) expectSameValues(ctx, invoice, records, response);
    if (copies.size === 0) await skipUnlessListedFirst(ctx, invoice, records);
    // An invoice that the response names is the kit's own.
    const named = isSuccess(last) ? invoiceIn(last)?.id : undefined;
    const mayBeForeign = copies.size > 1 && (named === undefined || String(named) === invoice.id);
    attempt.isLast ||= !mayBeForeign;
    const because = `there are ${copies.size} invoices: ${[...copies].join(', ')}`;
    const expected = `one invoice for requestId ${body.requestId}`;
    expectThat(ctx, copies.size === 1, last, expected, because, showsNoOther(last, invoice));
  });
}

/** What a script can test if the response to a replay shows another invoice than the original one. */
export function showsNoOther(replayed: ApiResponse, { id }: Invoice): Expectation | undefined {
  const shown = isSuccess(replayed) ? invoiceIn(replayed)?.id : undefined;
  return shown === undefined || String(shown) === id ? undefined : isRejectedOrShows(replayed, id);
}

/** Tracks the invoice in the response to a replay if it is not the original one, and returns its id, otherwise null. */
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
