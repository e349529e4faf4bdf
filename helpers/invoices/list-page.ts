import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { type ListQuery, listInvoices, NEWEST_FIRST } from '../api/operations.ts';
import { is2xx } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { listInOrder } from '../assert/expectations.ts';
import { blockedBy, blockedByRejection, blockUnlessHasItems } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { createdRecordOf } from '../context/invoice-history.ts';

/** The envelope of one list page. */
export interface ListPage {
  response: ApiResponse;
  records: JsonObject[];
  total: number;
  totalPages: number;
  page: number;
  limit: number;
}

/** Reads a page of the list. Throws Blocked when the list cannot be read; exchange rules judge the envelope. */
export async function readPage(ctx: CheckContext, query: ListQuery): Promise<ListPage> {
  const response = await listInvoices(ctx, query);
  if (!is2xx(response))
    throw blockedByRejection(ctx, response, 'LIST-01.items', `the list cannot be read with ${response.requestLine}`);
  return parsePage(blockUnlessHasItems(response));
}

/** Enough for the invoices of a run and of other users. */
const MAX_NEWEST_PAGES = 12;

/**
 * The newest invoices, page by page, as far back as a run can have created any. Throws Blocked when the list cannot be
 * read.
 */
export async function* newestPages(ctx: CheckContext): AsyncGenerator<ListPage> {
  for (let page = 0; page < MAX_NEWEST_PAGES; page += 1) {
    const found = await readPage(ctx, { ...NEWEST_FIRST, page });
    yield found;
    if (page + 1 >= found.totalPages) return;
  }
}

/** Number of invoices that other users of the sandbox may delete between the count and the page. */
export const DELETION_TOLERANCE = 5;

/** Throws Blocked if the list continues after a page with fewer records than its limit: LIST-05.applied judges this. */
export function blockIfPageNotFull(response: ApiResponse): void {
  const { total, page, limit, records } = parsePage(response);
  if (records.length < limit && total >= (page + 1) * limit + DELETION_TOLERANCE)
    blockedBy('LIST-05.applied', `page ${page} has ${records.length} records with limit ${limit} and total ${total}`);
}

/** The number of the seller's invoices. Throws Blocked when the list cannot be read. */
export async function readTotal(ctx: CheckContext): Promise<number> {
  return (await readPage(ctx, { page: 0, limit: 1 })).total;
}

/**
 * Reads a page far back. Null if the server rejects such a page (400), because the contract does not say how many
 * pages it serves.
 */
export async function readDeepPage(ctx: CheckContext, query: ListQuery & { page: number }): Promise<ListPage | null> {
  const response = await listInvoices(ctx, query);
  if (response.status === 400 && query.page > 0) return null;
  if (!is2xx(response))
    throw blockedByRejection(ctx, response, 'LIST-01.items', `the list cannot be read with ${response.requestLine}`);
  return parsePage(blockUnlessHasItems(response));
}

export function parsePage(response: ApiResponse): ListPage {
  const number = (name: string) => Number(bodyMember(response, name));
  return {
    response: response,
    records: listItems(response),
    total: number('total'),
    totalPages: number('totalPages'),
    page: number('page'),
    limit: number('limit'),
  };
}

/** Throws a Breach unless the records are in order; `value` returns the sort key of a record. */
export function expectOrder(
  ctx: CheckContext,
  page: ListPage,
  field: string,
  direction: 'asc' | 'desc',
  value: (record: JsonObject) => number,
): void {
  page.records.forEach((record, at) => {
    const next = page.records[at + 1];
    if (!next) return;
    const [here, there] = [value(record), value(next)];
    const kept = direction === 'desc' ? here >= there : here <= there;
    if (!kept) {
      const place = `items[${at}] and items[${at + 1}]`;
      const because = `${changedFieldText(ctx, field, [record, next])}${field} ${String(record[field])} comes before ${String(next[field])} (${place})`;
      throw breach(
        ctx,
        page.response,
        `records in ${direction === 'desc' ? 'descending' : 'ascending'} order of ${field}`,
        because,
        [],
        listInOrder(page.response, field, direction, [record, next]),
      );
    }
  });
}

/** A list in the order of the created values seems unordered if the server changes them later: then REC-10 is the cause. */
function changedFieldText(ctx: CheckContext, field: string, records: readonly JsonObject[]): string {
  if (field !== 'amount' && field !== 'dueDate') return '';
  for (const { id, [field]: shown, status } of records) {
    const created = createdRecordOf(ctx, String(id))?.record[field];
    if (created !== undefined && created !== shown)
      return `the ${String(status)} invoice ${String(id)} was created with ${field} ${String(created)} and now has ${String(shown)}, which breaks REC-10 first: `;
  }
  return '';
}
