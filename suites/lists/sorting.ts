import { listInvoices, NEWEST_FIRST } from '../../helpers/api/operations.ts';
import { createdAtMs, dueDateNumber, is2xx, type JsonObject, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase } from '../../helpers/context/check.ts';
import { sharedResult } from '../../helpers/context/shared-result.ts';
import { dueDates } from '../../helpers/data/invoice-body.ts';
import { isOrderedAsText } from '../../helpers/data/text-collation.ts';
import { confirmBreachExclusively } from '../../helpers/invoices/exclusive-section.ts';
import { createInvoice, mayCreateInvoices } from '../../helpers/invoices/invoices.ts';
import { expectOrder, type ListPage, parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { createAfterClockTick } from '../../helpers/lists/newest-first-walk.ts';
import {
  expectGrouped,
  groupedListCheck,
  NEWEST_SORT,
  sortedListCheck,
  textSortCheck,
} from '../../helpers/lists/order-checks.ts';
import {
  listsOfOtherKeysCheck,
  MAX_LIMIT,
  otherSandboxActors,
  type PageReader,
} from '../../helpers/lists/other-key-lists.ts';
import { aroundCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';

async function expectNewestFirst(ctx: CheckContext, request: PageReader): Promise<boolean> {
  const [page, due] = [await request(0, MAX_LIMIT), await request(0, MAX_LIMIT, 'dueDate')];
  if (!page || page.records.length < 2) return false;
  expectOrder(ctx, page, 'createdAt', 'desc', createdAtMs);
  if (due) expectOrder(ctx, due, 'dueDate', 'desc', dueDateNumber);
  return true;
}

const creationTimeMs = createdAtMs;

const amountValue = (record: JsonObject) => Number(record.amount);

const SMALL_PAGE_SIZE = 7;

/** No other check uses this limit, so a cached page with it belongs to this check. */
const UNSHARED_LIMIT = 87;

const PAGE_INDEXES = [0, 1, 2];

/** Joins consecutive small pages into one. Null when the server cannot sort by the field, which other checks judge. */
async function readCombinedPages(ctx: CheckContext, field: string): Promise<ListPage | null> {
  const requests = PAGE_INDEXES.map((page) =>
    listInvoices(ctx, { page, limit: SMALL_PAGE_SIZE, sortBy: field, sortOrder: 'desc' }),
  );
  const responses = await Promise.all(requests);
  const last = responses.at(-1);
  if (!last || responses.some((response) => !is2xx(response))) return null;
  return { ...parsePage(last), records: responses.flatMap(listItems) };
}

/**
 * Expects all pages together to be in order if the first page is. Other checks judge whether amounts are sorted by value or as text,
 * and the contract leaves the order among currencies open.
 */
function expectAmountsDescending(ctx: CheckContext, { response, records }: ListPage): void {
  const because = `the amounts on pages of ${SMALL_PAGE_SIZE} records are in the order ${records.map(({ amount }) => String(amount)).join(', ')}`;
  const kept = isDescendingByAmount(records) || !isDescendingByAmount(records.slice(0, SMALL_PAGE_SIZE));
  expectThat(ctx, kept, response, 'amounts in desc order across pages', because);
}

/** Whether the amounts of each currency descend, by value or as text. */
function isDescendingByAmount(records: readonly JsonObject[]): boolean {
  const currencies = [...new Set(records.map(({ currency }) => currency))];
  const sums = currencies.map((each) =>
    records.filter(({ currency }) => currency === each).map(({ amount }) => String(amount)),
  );
  const falling = (texts: readonly string[]) =>
    texts.every((text, at) => at === 0 || Number(text) <= Number(texts[at - 1]));
  return sums.every(falling) || sums.every((texts) => isOrderedAsText(texts, 'desc'));
}

/** Expects the same first value with limit 1 as on a longer page. Several records may share the value. */
async function expectSameFirstRecord(
  ctx: CheckContext,
  sortBy: string,
  sortOrder: 'asc' | 'desc',
  by: (record: JsonObject) => number,
): Promise<void> {
  const page = (limit: number) => listInvoices(ctx, { page: 0, limit, sortBy, sortOrder });
  const [some, response] = await Promise.all([page(SMALL_PAGE_SIZE), page(1)]);
  const [first] = listItems(some);
  const [single] = listItems(response);
  if (!first || !single) return;
  const same = by(single) === by(first);
  const because = `the first record is invoice ${String(single.id)} with ${sortBy} ${String(single[sortBy])}`;
  const expected = `${sortBy} ${String(first[sortBy])} in the first record with limit 1, as with limit ${SMALL_PAGE_SIZE}`;
  expectThat(ctx, same, response, expected, because);
}

/** Makes sure that the newest invoice is not the one with the latest due date. */
async function createNewestDueEarlier(ctx: CheckContext): Promise<void> {
  if (!mayCreateInvoices(ctx)) return;
  await newestDueEarlier(ctx);
}

const newestDueEarlier = sharedResult(async (ctx) => {
  const days = dueDates(ctx);
  for (const dueDate of [days.at(-1), days[0]]) await createInvoice(ctx, dueDate ? { dueDate } : {});
});

/** Throws a Breach unless pages of one, two and three records begin with the newest. True when the two newest share their createdAt. */
async function expectNewestListedFirst(ctx: CheckContext): Promise<boolean> {
  const [first, second] = (await readPage(ctx, NEWEST_FIRST)).records;
  const newest = first ? createdAtMs(first) : Number.NaN;
  skipUnlessDated(first);
  for (const limit of [1, 2, 3]) {
    const { response, records } = await readPage(ctx, { ...NEWEST_SORT, page: 0, limit });
    const [front] = records;
    const shown = front ? createdAtMs(front) : Number.NaN;
    const because = front ? `the first record has createdAt ${String(front.createdAt)}` : 'the page has no records';
    const expected = `a page of ${limit} that begins with the newest invoice, with createdAt ${String(first.createdAt)}`;
    expectThat(ctx, shown >= newest, response, expected, because);
  }
  return second !== undefined && createdAtMs(second) === newest;
}

function skipUnlessDated(record: JsonObject | undefined): asserts record is JsonObject {
  if (!record || Number.isNaN(createdAtMs(record))) notApplicable('the list has no invoice with a readable createdAt');
}

export const sortingChecks: readonly Check[] = [
  // Other traffic in production changes its totals, not its order.
  listsOfOtherKeysCheck('LIST-06.every-key', expectNewestFirst, (ctx) => [
    ...otherSandboxActors(ctx),
    ...ctx.availableActors('production'),
  ]),

  checkInPhase('late', 'LIST-06.pages', ['seller'], async (ctx) => {
    await createNewestDueEarlier(ctx);
    await whileUnchanged(ctx, async () => {
      for (const [field, by] of [['createdAt', creationTimeMs] as const, ['dueDate', dueDateNumber] as const]) {
        const pages = await readCombinedPages(ctx, field);
        if (pages) expectOrder(ctx, pages, field, 'desc', by);
        // The newest invoice may also be the one due last, but it is never the oldest.
        for (const order of ['desc', 'asc'] as const) await expectSameFirstRecord(ctx, field, order, by);
      }
      for (const field of ['status', 'currency']) {
        const pages = await readCombinedPages(ctx, field);
        if (pages) expectGrouped(ctx, pages.response, field, pages.records);
      }
      const pages = await readCombinedPages(ctx, 'amount');
      if (pages) expectAmountsDescending(ctx, pages);
    });
  }),

  // The order must not depend on the other query parameters.
  checkInPhase('late', 'LIST-06.without-page-or-limit', ['seller'], async (ctx) => {
    for (const query of [NEWEST_SORT, { ...NEWEST_SORT, limit: 10 }, { ...NEWEST_SORT, page: 0 }])
      expectOrder(ctx, await readPage(ctx, query), 'createdAt', 'desc', creationTimeMs);
  }),

  // Each page may be in order and the list still lack the invoices that belong first.
  checkInPhase('late', 'LIST-06.due-last', ['connection'], (ctx) =>
    aroundCreations(ctx, {
      before: async (dueDate) => dueDate,
      after: async (made, dueDate) => {
        if (made[0]?.body.dueDate !== dueDate) notApplicable(`the server rejects invoices that are due on ${dueDate}`);
        const response = await listInvoices(ctx, { page: 0, limit: 100, sortBy: 'dueDate', sortOrder: 'desc' });
        if (response.status === 400)
          notApplicable('the server rejects sorting by dueDate; the contract shows only createdAt');
        const records = listItems(response);
        const at = records.findIndex(({ id }) => made.some((each) => each.id === String(id)));
        const inFront = at < 0 ? records : records.slice(0, at);
        const sooner = inFront.find((record) => dueDateNumber(record) < Number(dueDate.replaceAll('-', '')));
        const expected = `the invoices due on ${dueDate}, such as ${made[0]?.id}, before all invoices that are due earlier`;
        const because = sooner
          ? `invoice ${String(sooner.id)}, due on ${String(sooner.dueDate)}, comes before the invoices due on ${dueDate}`
          : 'the list is empty';
        expectThat(ctx, records.length > 0 && !sooner, response, expected, because);
      },
    }),
  ),

  // A cache whose key lacks the field or the direction returns the page of an earlier query.
  checkInPhase('late', 'LIST-06.after-other-orders', ['seller'], async (ctx) => {
    const query = { page: 0, limit: UNSHARED_LIMIT };
    await listInvoices(ctx, { ...query, sortBy: 'createdAt', sortOrder: 'asc' });
    await listInvoices(ctx, { ...query, sortBy: 'dueDate', sortOrder: 'desc' });
    expectOrder(ctx, await readPage(ctx, { ...query, ...NEWEST_SORT }), 'createdAt', 'desc', creationTimeMs);
  }),

  sortedListCheck('LIST-06.created-at-desc', 'createdAt', 'desc', creationTimeMs),

  groupedListCheck('LIST-06.status-desc', 'status'),

  groupedListCheck('LIST-06.currency-desc', 'currency'),

  sortedListCheck('LIST-06.due-date-desc', 'dueDate', 'desc', dueDateNumber),

  checkInPhase('late', 'LIST-06.newest-on-small-pages', ['seller'], async (ctx) => {
    let isTied = false;
    await whileUnchanged(ctx, async () => {
      isTied = await expectNewestListedFirst(ctx);
    });
    // When the two newest share their createdAt, a page may rightly begin with either.
    if (!isTied || !mayCreateInvoices(ctx)) return;
    await confirmBreachExclusively(ctx, async (ctx) => {
      await createAfterClockTick(ctx);
      await expectNewestListedFirst(ctx);
    });
  }),

  sortedListCheck('LIST-07.amount-desc', 'amount', 'desc', amountValue),

  sortedListCheck('LIST-07.created-at-asc', 'createdAt', 'asc', creationTimeMs),

  sortedListCheck('LIST-07.amount-asc', 'amount', 'asc', amountValue),

  sortedListCheck('LIST-07.due-date-asc', 'dueDate', 'asc', dueDateNumber),

  textSortCheck('LIST-07.id-desc', 'id', 'desc'),

  textSortCheck('LIST-07.invoice-number-desc', 'invoiceNumber', 'desc'),

  textSortCheck('LIST-07.invoice-number-asc', 'invoiceNumber', 'asc'),
];
