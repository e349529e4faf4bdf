import { listInvoices } from '../api/operations.ts';
import { createdAtMs, is2xx } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { parsePage } from '../invoices/list-page.ts';

const PAGE_SIZE = 20;

/**
 * Throws a Breach if page 2 of the list, newest first, has a record that is newer than one on page 1, as on a server that sorts
 * only within each page. Page 0 is left out, because it is wrong if pages are not counted from zero.
 */
export async function expectLaterPageOlder(ctx: CheckContext): Promise<void> {
  const request = (page: number) =>
    listInvoices(ctx, { page, limit: PAGE_SIZE, sortBy: 'createdAt', sortOrder: 'desc' });
  // The later page first: new invoices between the requests then move none of its records to the other page.
  const responses = [await request(2), await request(1)] as const;
  if (!responses.every(is2xx)) return;
  const [later, earlier] = [parsePage(responses[0]), parsePage(responses[1])];
  // Past the end, a server may return an earlier page.
  if (later.page !== 2 || earlier.page !== 1 || earlier.total <= 2 * PAGE_SIZE) return;
  const oldest = Math.min(...earlier.records.map(createdAtMs));
  const newer = later.records.find((record) => createdAtMs(record) > oldest);
  if (!newer) return;
  const because = `page 2 shows invoice ${String(newer.id)} with createdAt ${String(newer.createdAt)}, which is newer than an invoice on page 1`;
  const expected = 'the newest invoices first, across all pages';
  throw breach(ctx, later.response, expected, because, [earlier.response]);
}
