import type { ListQuery } from '../api/operations.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { type ListPage, readPage } from '../invoices/list-page.ts';

/** The end of a walk of at most `to` pages. An envelope without totalPages is judged by another check. */
function walkEnd({ totalPages }: ListPage, to: number): number {
  return Number.isNaN(totalPages) ? to : Math.min(to, totalPages);
}

/** The existing pages in a range. All except the first are requested concurrently. */
async function readPages(ctx: CheckContext, query: ListQuery, from: number, to: number): Promise<ListPage[]> {
  const first = await readPage(ctx, { ...query, page: from });
  const end = walkEnd(first, to);
  const others = Array.from({ length: Math.max(0, end - from - 1) }, (_, at) => from + 1 + at);
  return [first, ...(await Promise.all(others.map((page) => readPage(ctx, { ...query, page }))))];
}

/** The pages to search for new invoices, unless other invoices are known to precede them. */
export const MAX_WALKED_PAGES = 16;

/**
 * Walks the pages until every given invoice was found, with a number of requests that does not grow with the sandbox. Throws a
 * Breach when a record occurs twice or a given one is missing.
 */
export async function expectInvoicesOnPages(
  ctx: CheckContext,
  query: ListQuery & { limit: number },
  expected: readonly Invoice[],
  most = MAX_WALKED_PAGES,
): Promise<void> {
  const missing = new Set(expected.map(({ id }) => id));
  const met = new Map<string, number>();
  let last: ListPage | undefined;
  let from = 0;
  while (missing.size > 0 && from < (last ? walkEnd(last, most) : most)) {
    const to = Math.min(from + Math.ceil(missing.size / query.limit), most);
    for (const [at, page] of (await readPages(ctx, query, from, to)).entries()) {
      expectNewRecords(ctx, page, from + at, met);
      for (const { id } of page.records) missing.delete(String(id));
      last = page;
    }
    from = to;
  }
  if (missing.size > 0 && last) {
    const because = `the first ${met.size} records, read page by page with limit ${query.limit}, do not contain ${[...missing].join(', ')}`;
    throw breach(
      ctx,
      last.response,
      `each of the ${expected.length} newest invoices on one of the first pages`,
      because,
    );
  }
}

/** Walks the first pages. Throws a Breach when a record occurs twice. */
export async function expectNoRepeatedRecord(
  ctx: CheckContext,
  query: ListQuery & { limit: number },
  pages: number,
): Promise<void> {
  const met = new Map<string, number>();
  for (const [at, page] of (await readPages(ctx, query, 0, pages)).entries()) expectNewRecords(ctx, page, at, met);
}

/** Collects the records of one page. Throws a Breach when one of them was on an earlier page. */
function expectNewRecords(
  ctx: CheckContext,
  { response, records }: ListPage,
  page: number,
  met: Map<string, number>,
): void {
  for (const { id } of records) {
    const earlier = met.get(String(id));
    if (earlier !== undefined) {
      throw breach(
        ctx,
        response,
        'every record on one page only',
        `invoice ${String(id)} was already on page ${earlier}`,
      );
    }
    met.set(String(id), page);
  }
}
