import { maximalRequest } from '../../helpers/adaptation/maximal-request.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { dueDateNumber, is2xx, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase } from '../../helpers/context/check.ts';
import { pastDueDate } from '../../helpers/data/due-dates.ts';
import { createInvoice, ifReachable } from '../../helpers/invoices/invoices.ts';
import { parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { expectNewestListedOnce } from '../../helpers/lists/newest-first-walk.ts';
import { NEWEST_SORT, SORT_ORDERS } from '../../helpers/lists/order-checks.ts';
import { expectInvoicesOnPages, expectNoRepeatedRecord, MAX_WALKED_PAGES } from '../../helpers/lists/page-walk.ts';
import { afterCreations, aroundCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import { expectTiedInvoicesOnOnePage } from '../../helpers/lists/tied-records.ts';

const MAX_LIMIT = 100;

/**
 * An order that skips records has too few on the last page. The contract does not specify the sort fields, nor how far back a list
 * goes.
 */
async function expectRemainderOnLastPage(
  ctx: CheckContext,
  order: (typeof SORT_ORDERS)[number],
  last: number,
): Promise<void> {
  const [sortBy, sortOrder] = order;
  const response = await listInvoices(ctx, { page: last, limit: MAX_LIMIT, sortBy, sortOrder });
  if (!is2xx(response)) return;
  const { total, totalPages, page, records } = parsePage(response);
  if (page !== last || totalPages !== last + 1) return;
  const left = total - last * MAX_LIMIT;
  const expected = `${left} records on page ${last}, the last page with total ${total}`;
  expectThat(ctx, records.length === left, response, expected, `the page has ${records.length} records`);
}

const DUE_DATE_SORT = { sortBy: 'dueDate', sortOrder: 'desc' } as const;

const MIN_PAGE_SIZE = 2;

/** Number of invoices that the check creates around each read, and some that others may create meanwhile. */
const CREATION_MARGIN = 12;

/** Page size for a short walk from the latest due date to the new invoices. Other runs leave invoices that are due later. */
async function pageSizeForDueDate(ctx: CheckContext, dueDate: string): Promise<number> {
  const ours = Number(dueDate.replaceAll('-', ''));
  let before = 0;
  for (let page = 0; ; page += 1) {
    const response = await listInvoices(ctx, { ...DUE_DATE_SORT, page, limit: MAX_LIMIT });
    if (page === 0 && response.status === 400)
      notApplicable('the server rejects sorting by dueDate; the contract shows only createdAt');
    const due = listItems(response).filter((record) => dueDateNumber(record) >= ours).length;
    before += due;
    const limit = Math.max(MIN_PAGE_SIZE, Math.ceil((before + CREATION_MARGIN) / MAX_WALKED_PAGES));
    if (limit > MAX_LIMIT)
      return notApplicable(`more than ${before} other invoices of this sandbox have the same or a later due date`);
    if (due < MAX_LIMIT) return limit;
  }
}

export const walkingChecks: readonly Check[] = [
  checkInPhase('late', 'LIST-08.walk', ['connection'], (ctx) =>
    expectNewestListedOnce(ctx, { limit: 3, ...NEWEST_SORT }),
  ),

  checkInPhase('late', 'LIST-08.every-order', ['connection'], async (ctx) => {
    // Adds an overdue invoice, and one in another currency, if the server accepts them.
    await ifReachable(() => createInvoice(ctx, { dueDate: pastDueDate() }));
    await maximalRequest(ctx);
    await whileUnchanged(ctx, async () => {
      const { totalPages } = await readPage(ctx, { page: 0, limit: MAX_LIMIT });
      await Promise.all(SORT_ORDERS.map((order) => expectRemainderOnLastPage(ctx, order, Math.max(0, totalPages - 1))));
    });
  }),

  checkInPhase('late', 'LIST-15.status', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const query = { sortBy: 'status', sortOrder: 'desc', limit: 3 } as const;
      const first = await listInvoices(ctx, { ...query, page: 0 });
      if (first.status === 400)
        notApplicable('the server rejects sorting by status; the contract shows only createdAt');
      await expectNoRepeatedRecord(ctx, query, 6);
    }),
  ),

  checkInPhase('late', 'LIST-15.created-at', ['connection'], (ctx) =>
    afterCreations(ctx, () => expectTiedInvoicesOnOnePage(ctx)),
  ),

  checkInPhase('late', 'LIST-15.due-date', ['connection'], (ctx) => {
    return aroundCreations(ctx, {
      before: async (dueDate) => ({ dueDate, limit: await pageSizeForDueDate(ctx, dueDate) }),
      after: async (made, { dueDate, limit }) => {
        if (made[0]?.body.dueDate !== dueDate) notApplicable(`the server rejects invoices that are due on ${dueDate}`);
        await expectInvoicesOnPages(ctx, { ...DUE_DATE_SORT, limit }, made);
      },
    });
  }),
];
