import { maximalRequest } from '../../helpers/adaptation/maximal-request.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { dueDateNumber, is2xx, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { pastDueDate } from '../../helpers/data/due-dates.ts';
import { createInvoice, ifReachable } from '../../helpers/invoices/invoices.ts';
import { parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { expectNewestListedOnce } from '../../helpers/lists/newest-first-walk.ts';
import { expectInvoicesOnPages, expectNoRepeatedRecord, MAX_WALKED_PAGES } from '../../helpers/lists/page-walk.ts';
import { aroundCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import { NEWEST_SORT, SORT_ORDERS } from '../../helpers/lists/sort-orders.ts';

const MAX_LIMIT = 100;

/** What an order leaves out is missing on the last page. By which fields a list may be sorted, and how deep it goes, is not shown. */
async function expectRemainderOnLastPage(
  lab: CheckContext,
  order: (typeof SORT_ORDERS)[number],
  last: number,
): Promise<void> {
  const [sortBy, sortOrder] = order;
  const answer = await listInvoices(lab, { page: last, limit: MAX_LIMIT, sortBy, sortOrder });
  if (!is2xx(answer)) return;
  const { total, totalPages, page, records } = parsePage(answer);
  if (page !== last || totalPages !== last + 1) return;
  const left = total - last * MAX_LIMIT;
  const expected = `${left} records on page ${last}, the last one of ${total} records`;
  expectThat(lab, records.length === left, answer, expected, `there are ${records.length}`);
}

const DUE_DATE_SORT = { sortBy: 'dueDate', sortOrder: 'desc' } as const;

const MIN_PAGE_SIZE = 2;

/** Made around each look, and some more that others may make meanwhile. */
const CREATION_MARGIN = 12;

/** How long pages have to be for a short walk from the latest due date to the new invoices: other runs leave some that are due later. */
async function pageSizeForDueDate(lab: CheckContext, dueDate: string): Promise<number> {
  const ours = Number(dueDate.replaceAll('-', ''));
  let before = 0;
  for (let page = 0; ; page += 1) {
    const answer = await listInvoices(lab, { ...DUE_DATE_SORT, page, limit: MAX_LIMIT });
    if (page === 0 && answer.status === 400) notApplicable('sorting by dueDate is refused; only createdAt is shown');
    const due = listItems(answer).filter((record) => dueDateNumber(record) >= ours).length;
    before += due;
    const limit = Math.max(MIN_PAGE_SIZE, Math.ceil((before + CREATION_MARGIN) / MAX_WALKED_PAGES));
    if (limit > MAX_LIMIT) return notApplicable(`more than ${before} other invoices of this sandbox are due as late`);
    if (due < MAX_LIMIT) return limit;
  }
}

export const walkingChecks: readonly Check[] = [
  checkInPhase('late', 'LIST-08.walk', ['connection'], (lab) =>
    expectNewestListedOnce(lab, { limit: 3, ...NEWEST_SORT }),
  ),

  checkInPhase('late', 'LIST-08.every-order', ['connection'], async (lab) => {
    // One that is overdue, and one in another currency, where that may be.
    await ifReachable(() => createInvoice(lab, { dueDate: pastDueDate() }));
    await maximalRequest(lab);
    await whileUnchanged(lab, async () => {
      const { totalPages } = await readPage(lab, { page: 0, limit: MAX_LIMIT });
      await Promise.all(SORT_ORDERS.map((order) => expectRemainderOnLastPage(lab, order, Math.max(0, totalPages - 1))));
    });
  }),

  checkInPhase('late', 'LIST-15.status', ['seller'], (lab) =>
    whileUnchanged(lab, async () => {
      const query = { sortBy: 'status', sortOrder: 'desc', limit: 3 } as const;
      const first = await listInvoices(lab, { ...query, page: 0 });
      if (first.status === 400) notApplicable('sorting by status is refused; only createdAt is shown');
      await expectNoRepeatedRecord(lab, query, 8);
    }),
  ),

  checkInPhase('late', 'LIST-15.due-date', ['connection'], (lab) => {
    return aroundCreations(lab, {
      before: async (dueDate) => ({ dueDate, limit: await pageSizeForDueDate(lab, dueDate) }),
      after: async (made, { dueDate, limit }) => {
        if (made[0]?.body.dueDate !== dueDate) notApplicable(`invoices that are due on ${dueDate} are refused`);
        await expectInvoicesOnPages(lab, { ...DUE_DATE_SORT, limit }, made);
      },
    });
  }),
];
