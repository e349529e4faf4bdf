import { isDeepStrictEqual } from 'node:util';
import { INVOICES_PATH, type ListQuery, listInvoicesAt } from '../../api/operations.ts';
import { type ApiResponse, is2xx } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check.ts';
import { type ListPage, parsePage, readDeepPage } from '../../invoices/list-page.ts';
import { NEWEST_SORT } from '../order-checks.ts';

/** Names of the page size in other cases, other conventions and other APIs. */
const PAGE_SIZE_NAMES = [
  ...['Limit', 'LIMIT', 'limits', 'page_size', 'pageSize', 'page-size', 'PageSize', 'per_page', 'perPage'],
  ...['size', 'count', 'take', 'top', '$top', 'first', 'max', 'maxResults', 'rows', '_limit'],
];

const FAR_INDEX = 9;
const PAGE_SIZE = 5;

/** Names of the page index, and of the number of records before the page. */
const PAGE_INDEX_NAMES = ['Page', 'PAGE', 'page_number', 'pageNumber', 'pageIndex', 'p', '_page'];
const OFFSET_NAMES = ['offset', 'Offset', 'skip', '$skip', 'start', 'startIndex'];

type Parameter = readonly [name: string, value: number | string];

const LARGE_SIZE = 500;
const PAGE_SIZES: readonly Parameter[] = PAGE_SIZE_NAMES.map((name) => [name, LARGE_SIZE]);
/** The names that are sent alone to a server that rejects all of them together. */
const SENT_ALONE = new Set(['Limit', 'per_page', 'pageSize', 'size', 'Page', 'offset', 'skip', 'unpaged', 'paginate']);
/** Many frameworks read brackets as arrays and objects, which would make the other parameters invalid. */
const BRACKETS: readonly (readonly Parameter[])[] = [
  [['limit[]', LARGE_SIZE]],
  [
    ['page[number]', 0],
    ['page[size]', LARGE_SIZE],
  ],
];
/** Names that turn pages off in similar APIs. */
const WITHOUT_PAGES: readonly Parameter[] = [
  ...['all', 'unpaged', 'full'].map((name): Parameter => [name, 'true']),
  ...['paginate', 'pagination', 'paging', 'paged'].map((name): Parameter => [name, 'false']),
];
const PAGE_INDEXES: readonly Parameter[] = [
  ...PAGE_INDEX_NAMES.map((name): Parameter => [name, FAR_INDEX]),
  ...OFFSET_NAMES.map((name): Parameter => [name, FAR_INDEX * PAGE_SIZE]),
];

/** The list for all parameters in one query, or the lists for the most common ones alone if the server rejects the query. */
async function listWithUndeclared(
  ctx: CheckContext,
  query: ListQuery,
  undeclared: readonly Parameter[],
): Promise<ApiResponse[]> {
  const together = await listWith(ctx, query, undeclared);
  if (is2xx(together)) return [together];
  const alone = undeclared.filter(([name]) => SENT_ALONE.has(name));
  const responses = await Promise.all(alone.map((parameter) => listWith(ctx, query, [parameter])));
  return responses.filter(is2xx);
}

/** The exchange rules do not judge these lists: a server may read the page and its size from another name. */
async function listWith(ctx: CheckContext, query: ListQuery, undeclared: readonly Parameter[]): Promise<ApiResponse> {
  const pairs = [...Object.entries(query), ...undeclared].map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return await listInvoicesAt(ctx, `${INVOICES_PATH}?${new URLSearchParams(pairs)}`, {});
}

/** The lists for a page size under other names, with and without a `limit`, and for names that turn pages off. */
export async function listWithPageSizes(ctx: CheckContext): Promise<ApiResponse[]> {
  const lists = await Promise.all([
    ...[{ page: 0 }, { page: 0, limit: 3 }].map((query) => listWithUndeclared(ctx, query, PAGE_SIZES)),
    listWithUndeclared(ctx, { page: 0, limit: 3 }, WITHOUT_PAGES),
    ...BRACKETS.map((parameters) => listWithUndeclared(ctx, {}, parameters)),
  ]);
  return lists.flat();
}

/**
 * "page: zero-based page index that was served." Throws a Breach if an undeclared parameter leads to the records of a page other than
 * the envelope names. The order of invoices with the same createdAt is open, so only the times are compared.
 */
export async function expectNamedPageServed(ctx: CheckContext): Promise<void> {
  const lists = await listWithUndeclared(ctx, { ...NEWEST_SORT, limit: PAGE_SIZE }, PAGE_INDEXES);
  for (const response of lists) await expectSamePageWithout(ctx, parsePage(response));
}

async function expectSamePageWithout(ctx: CheckContext, shown: ListPage): Promise<void> {
  const { page, limit, total, response } = shown;
  // Exchange rules judge the envelope.
  if (!Number.isInteger(page) || !Number.isInteger(limit) || page < 0 || limit < 1) return;
  const declared = await readDeepPage(ctx, { ...NEWEST_SORT, page, limit });
  // Another total is another list: the server may have a filter of this name, or another client has created an invoice.
  if (declared?.total !== total || isDeepStrictEqual(timesOf(shown), timesOf(declared))) return;
  const [first, other] = [timesOf(shown), timesOf(declared)].map(([time]) => String(time ?? 'no record'));
  const because = `the envelope says page ${page}, and its first record has createdAt ${first}; page ${page} without undeclared parameters begins with ${other}`;
  const expected = `the records of page ${page}, as the envelope says (Paged list envelope: page is the index of the page that was served)`;
  throw breach(ctx, response, expected, because, [declared.response]);
}

function timesOf({ records }: ListPage): unknown[] {
  return records.map(({ createdAt }) => createdAt);
}
