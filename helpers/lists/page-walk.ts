import type { ListQuery } from '../api/operations.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { type ListPage, readPage } from '../invoices/list-page.ts';

/** Where a walk ends that goes no further than `to`; an envelope that does not tell the number of pages is judged elsewhere. */
function walkEnd({ totalPages }: ListPage, to: number): number {
  return Number.isNaN(totalPages) ? to : Math.min(to, totalPages);
}

/** The pages from one to before another, as far as there are any. All but the first at once: none waits for another. */
async function readPages(ctx: CheckContext, query: ListQuery, from: number, to: number): Promise<ListPage[]> {
  const first = await readPage(ctx, { ...query, page: from });
  const end = walkEnd(first, to);
  const others = Array.from({ length: Math.max(0, end - from - 1) }, (_, at) => from + 1 + at);
  return [first, ...(await Promise.all(others.map((page) => readPage(ctx, { ...query, page }))))];
}

/** Pages that are walked to find new invoices, unless others are known to stand in front of them. */
export const MAX_WALKED_PAGES = 16;

/**
 * Walks the pages until every given invoice was met, and hardly further than that: the number of requests must not grow with
 * the sandbox. Throws a Breach when a record comes twice or one of the given ones never.
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
    const because = `walking ${met.size} records, page by page with limit ${query.limit}, never met ${[...missing].join(', ')}`;
    throw breach(
      ctx,
      last.response,
      `each of the ${expected.length} newest invoices on one of the first pages`,
      because,
    );
  }
}

/** Walks the first pages, however many records there are. Throws a Breach when a record comes twice. */
export async function expectNoRepeatedRecord(
  ctx: CheckContext,
  query: ListQuery & { limit: number },
  pages: number,
): Promise<void> {
  const met = new Map<string, number>();
  for (const [at, page] of (await readPages(ctx, query, 0, pages)).entries()) expectNewRecords(ctx, page, at, met);
}

/** Notes the records of one page more. Throws a Breach when one was met before. */
function expectNewRecords(
  ctx: CheckContext,
  { response, records }: ListPage,
  page: number,
  met: Map<string, number>,
): void {
  for (const { id } of records) {
    const earlier = met.get(String(id));
    if (earlier !== undefined) {
      throw breach(ctx, response, 'every record once', `invoice ${String(id)} was on page ${earlier} already`);
    }
    met.set(String(id), page);
  }
}
