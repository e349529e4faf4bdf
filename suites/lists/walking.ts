import { dressed } from '../../helpers/adaptation/maximal-request.ts';
import { list } from '../../helpers/api/operations.ts';
import { dueDay, isShown, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { longAgo } from '../../helpers/data/due-dates.ts';
import { freshInvoice, whereReachable } from '../../helpers/invoices/invoices.ts';
import { asPage, pageOf } from '../../helpers/invoices/list-page.ts';
import { expectWalk } from '../../helpers/lists/newest-first-walk.ts';
import { expectNoRepetition, MOST_PAGES, walkPages } from '../../helpers/lists/page-walk.ts';
import { aroundCreations, meanwhileUnmoved } from '../../helpers/lists/snapshot.ts';
import { NEWEST_SORT, SORT_ORDERS } from '../../helpers/lists/sort-orders.ts';

const MOST = 100;

/** What an order leaves out is missing on the last page. By which fields a list may be sorted, and how deep it goes, is not shown. */
async function expectRestOnLastPage(lab: Lab, order: (typeof SORT_ORDERS)[number], last: number): Promise<void> {
  const [sortBy, sortOrder] = order;
  const answer = await list(lab, { page: last, limit: MOST, sortBy, sortOrder });
  if (!isShown(answer)) return;
  const { total, totalPages, page, records } = asPage(answer);
  if (page !== last || totalPages !== last + 1) return;
  const left = total - last * MOST;
  const expected = `${left} records on page ${last}, the last one of ${total} records`;
  expectThat(lab, records.length === left, answer, expected, `there are ${records.length}`);
}

const BY_DUE_DATE = { sortBy: 'dueDate', sortOrder: 'desc' } as const;

const FEWEST_A_PAGE = 2;

/** Made around each look, and some more that others may make meanwhile. */
const ROOM = 12;

/** How long pages have to be for a short walk from the latest due date to the new invoices: other runs leave some that are due later. */
async function limitAmongDue(lab: Lab, dueDate: string): Promise<number> {
  const ours = Number(dueDate.replaceAll('-', ''));
  let before = 0;
  for (let page = 0; ; page += 1) {
    const answer = await list(lab, { ...BY_DUE_DATE, page, limit: MOST });
    if (page === 0 && answer.status === 400) notApplicable('sorting by dueDate is refused; only createdAt is shown');
    const due = listItems(answer).filter((record) => dueDay(record) >= ours).length;
    before += due;
    const limit = Math.max(FEWEST_A_PAGE, Math.ceil((before + ROOM) / MOST_PAGES));
    if (limit > MOST) return notApplicable(`more than ${before} other invoices of this sandbox are due as late`);
    if (due < MOST) return limit;
  }
}

export const walkingChecks: readonly Check[] = [
  checkIn('late', 'LIST-08.walk', ['connection'], (lab) => expectWalk(lab, { limit: 3, ...NEWEST_SORT })),

  checkIn('late', 'LIST-08.every-order', ['connection'], async (lab) => {
    // One that is overdue, and one in another currency, where that may be.
    await whereReachable(() => freshInvoice(lab, { dueDate: longAgo() }));
    await dressed(lab);
    await meanwhileUnmoved(lab, async () => {
      const { totalPages } = await pageOf(lab, { page: 0, limit: MOST });
      await Promise.all(SORT_ORDERS.map((order) => expectRestOnLastPage(lab, order, Math.max(0, totalPages - 1))));
    });
  }),

  checkIn('late', 'LIST-15.status', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const query = { sortBy: 'status', sortOrder: 'desc', limit: 3 } as const;
      const first = await list(lab, { ...query, page: 0 });
      if (first.status === 400) notApplicable('sorting by status is refused; only createdAt is shown');
      await expectNoRepetition(lab, query, 8);
    }),
  ),

  checkIn('late', 'LIST-15.due-date', ['connection'], (lab) => {
    return aroundCreations(lab, {
      before: async (dueDate) => ({ dueDate, limit: await limitAmongDue(lab, dueDate) }),
      after: async (made, { dueDate, limit }) => {
        if (made[0]?.body.dueDate !== dueDate) notApplicable(`invoices that are due on ${dueDate} are refused`);
        await walkPages(lab, { ...BY_DUE_DATE, limit }, made);
      },
    });
  }),
];
