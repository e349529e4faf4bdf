import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { breach, expectThat } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { findCreatedInvoice, MAX_SEARCHED_PAGES, searchNewest } from './find-invoice.ts';
import type { Invoice } from './invoices.ts';

/**
 * Expects the seller's list to contain an invoice with the sent fields. If the list shows the id of the creation with another value,
 * the failure names that value.
 */
export async function expectListedAsSent(
  ctx: CheckContext,
  invoice: Invoice,
  expected: string,
  absent = 'the list does not contain the invoice',
): Promise<ApiResponse> {
  const { isMet, response } = await findCreatedInvoice(ctx, invoice.body);
  if (isMet) return response;
  const other = await searchNewest(ctx, MAX_SEARCHED_PAGES, ({ id }) => String(id) === invoice.id);
  if (other.record) expectSameValues(ctx, invoice, [other.record], other.response);
  expectThat(ctx, false, response, expected, absent);
  return response;
}

/** Throws a Breach if one of the listed records is the invoice with a value other than the sent one. */
export function expectSameValues(
  ctx: CheckContext,
  { id, body, created }: Invoice,
  records: readonly JsonObject[],
  listed: ApiResponse,
): void {
  const record = records.find((each) => String(each.id) === id);
  const { amount, dueDate, buyerId: buyerOrganizationId } = body;
  const other = Object.entries({ amount, dueDate, buyerOrganizationId }).find(
    ([field, sent]) => record?.[field] !== undefined && String(record[field]).toLowerCase() !== sent.toLowerCase(),
  );
  if (!record || !other) return;
  const [field, sent] = other;
  const because = `the list shows invoice ${id} with ${field} ${String(record[field])}, created with ${sent}`;
  throw breach(ctx, listed, `invoice ${id} with ${field} ${sent}, as sent`, because, [created]);
}
