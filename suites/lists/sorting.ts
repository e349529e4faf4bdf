import { listInvoices, NEWEST_FIRST } from '../../helpers/api/operations.ts';
import type { ApiResponse, JsonObject } from '../../helpers/api/responses.ts';
import { createdAtMs, dueDateNumber, is2xx, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { dueDates } from '../../helpers/data/invoice-body.ts';
import { isOrderedAsText } from '../../helpers/data/text-collation.ts';
import { otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import { confirmBreachExclusively } from '../../helpers/invoices/exclusively.ts';
import { createInvoice, ifReachable, mayCreateInvoices } from '../../helpers/invoices/invoices.ts';
import type { ListPage } from '../../helpers/invoices/list-page.ts';
import { expectOrder, parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import type { PageReader } from '../../helpers/lists/lists-of-other-keys.ts';
import { listsOfOtherKeysCheck, MAX_LIMIT, otherSandboxActors } from '../../helpers/lists/lists-of-other-keys.ts';
import { createAfterClockTick } from '../../helpers/lists/newest-first-walk.ts';
import { aroundCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import { NEWEST_SORT } from '../../helpers/lists/sort-orders.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

async function expectNewestFirst(lab: CheckContext, ask: PageReader): Promise<boolean> {
  const [page, due] = [await ask(0, MAX_LIMIT), await ask(0, MAX_LIMIT, 'dueDate')];
  if (!page || page.records.length < 2) return false;
  expectOrder(lab, page, 'createdAt', 'desc', createdAtMs);
  if (due) expectOrder(lab, due, 'dueDate', 'desc', dueDateNumber);
  return true;
}

const creationTimeMs = createdAtMs;

const amountValue = (record: JsonObject) => Number(record.amount);

/** Sorting is asked of a sandbox as full as the run makes it: late, when invoices of many moments and amounts exist. */
function sortedListCheck(
  id: CheckId,
  field: string,
  direction: 'asc' | 'desc',
  by: (record: JsonObject) => number,
): Check {
  return checkInPhase('late', id, ['seller'], async (lab) => {
    if (id === 'LIST-06.created-at-desc') await expectNoListDefect(lab, id);
    if (field === 'amount') await createOrderRevealingInvoices(lab);
    const answer = await listInvoices(lab, { page: 0, limit: 100, sortBy: field, sortOrder: direction });
    lab.observe('sort-fields', `${field} ${direction}: ${answer.status}`);
    const shown = field === 'createdAt' && direction === 'desc';
    if (answer.status === 400 && !shown)
      notApplicable(`sorting by ${field} ${direction} is refused; only createdAt desc is shown`);
    expectThat(lab, is2xx(answer), answer, 'a list', `answered with ${answer.status}`);
    expectOrder(lab, parsePage(answer), field, direction, by);
  });
}

/** Others where the usual ones are too small, or too large, for an invoice here. */
const ORDER_REVEALING_AMOUNTS = [
  ['9.98', '100.02'],
  ['998.98', '1000.02'],
] as const;

/** Amounts whose order by value and by characters differ, at the top of either order. */
async function createOrderRevealingInvoices(lab: CheckContext): Promise<void> {
  if (!mayCreateInvoices(lab)) return;
  await lab.run.memoize('telltale amounts', async () => {
    for (const sums of ORDER_REVEALING_AMOUNTS) {
      const made = await Promise.all(
        sums.map((amount) => ifReachable(async () => await createInvoice(lab, { amount }))),
      );
      if (made.every(({ length }) => length > 0)) return;
    }
  });
}

/** A field with few values: in which order those stand among each other is left open, that each stands together is not. */
function groupedListCheck(id: CheckId, field: 'status' | 'currency'): Check {
  return checkInPhase('late', id, ['seller'], async (lab) => {
    if (field === 'currency') await createMixedCurrencies(lab);
    const answer = await listInvoices(lab, { page: 0, limit: 100, sortBy: field, sortOrder: 'desc' });
    lab.observe('sort-fields', `${field} desc: ${answer.status}`);
    if (answer.status === 400) notApplicable(`sorting by ${field} is refused; only createdAt is shown`);
    expectThat(lab, is2xx(answer), answer, 'a list', `answered with ${answer.status}`);
    expectGrouped(lab, answer, field, listItems(answer));
  });
}

function expectGrouped(lab: CheckContext, answer: ApiResponse, field: string, records: readonly JsonObject[]): void {
  const values = records.map((record) => String(record[field]));
  const runs = values.filter((value, at) => value !== values[at - 1]);
  const because = `${field} comes as ${runs.join(', ')}`;
  const kept = runs.length === new Set(runs).size;
  expectThat(lab, kept, answer, `invoices of one ${field} next to each other`, because);
}

/** The newest invoices are of two currencies in turn, where the server knows another than the usual one. */
async function createMixedCurrencies(lab: CheckContext): Promise<void> {
  if (!mayCreateInvoices(lab)) return;
  await lab.run.memoize('mixed currencies', async () => {
    const other = await otherCurrency(lab);
    for (const currency of other ? [other, undefined, other] : [])
      await createInvoice(lab, currency ? { currency } : {});
  });
}

/** A field that holds text, whose order among letters and digits is the server's own. */
function textSortCheck(id: CheckId, field: 'id' | 'invoiceNumber', direction: 'asc' | 'desc'): Check {
  return checkInPhase('late', id, ['seller'], async (lab) => {
    const answer = await listInvoices(lab, { page: 0, limit: 100, sortBy: field, sortOrder: direction });
    lab.observe('sort-fields', `${field} ${direction}: ${answer.status}`);
    if (answer.status === 400)
      notApplicable(`sorting by ${field} ${direction} is refused; only createdAt desc is shown`);
    expectThat(lab, is2xx(answer), answer, 'a list', `answered with ${answer.status}`);
    const texts = listItems(answer).map((record) => String(record[field]));
    const because = `${field} comes as ${texts.slice(0, 4).join(', ')} …`;
    expectThat(lab, isOrderedAsText(texts, direction), answer, `records in ${direction} order of ${field}`, because);
  });
}

const SMALL_PAGE_SIZE = 7;

const PAGE_INDEXES = [0, 1, 2];

/** Small pages, one after the other, as one page; null where the field may not be sorted by, which is judged elsewhere. */
async function readCombinedPages(lab: CheckContext, field: string): Promise<ListPage | null> {
  const asked = PAGE_INDEXES.map((page) =>
    listInvoices(lab, { page, limit: SMALL_PAGE_SIZE, sortBy: field, sortOrder: 'desc' }),
  );
  const answers = await Promise.all(asked);
  const last = answers.at(-1);
  if (!last || answers.some((answer) => !is2xx(answer))) return null;
  return { ...parsePage(last), records: answers.flatMap(listItems) };
}

/**
 * Money is a string: whether it is sorted by its value or by its characters, and how sums of several currencies stand among each
 * other, is judged elsewhere or left open. What the first page has in order, all of them together have.
 */
function expectAmountsDescending(lab: CheckContext, { response: answer, records }: ListPage): void {
  const because = `pages of ${SMALL_PAGE_SIZE} come as ${records.map(({ amount }) => String(amount)).join(', ')}`;
  const kept = isDescendingByAmount(records) || !isDescendingByAmount(records.slice(0, SMALL_PAGE_SIZE));
  expectThat(lab, kept, answer, 'amounts in desc order from page to page', because);
}

/** Within each currency, by value or as text. */
function isDescendingByAmount(records: readonly JsonObject[]): boolean {
  const currencies = [...new Set(records.map(({ currency }) => currency))];
  const sums = currencies.map((each) =>
    records.filter(({ currency }) => currency === each).map(({ amount }) => String(amount)),
  );
  const falling = (texts: readonly string[]) =>
    texts.every((text, at) => at === 0 || Number(text) <= Number(texts[at - 1]));
  return sums.every(falling) || sums.every((texts) => isOrderedAsText(texts, 'desc'));
}

/** The first record is the first however few are asked for; there may be several of one value. */
async function expectSameFirstRecord(
  lab: CheckContext,
  sortBy: string,
  sortOrder: 'asc' | 'desc',
  by: (record: JsonObject) => number,
): Promise<void> {
  const page = (limit: number) => listInvoices(lab, { page: 0, limit, sortBy, sortOrder });
  const [some, answer] = await Promise.all([page(SMALL_PAGE_SIZE), page(1)]);
  const [first] = listItems(some);
  const [alone] = listItems(answer);
  if (!first || !alone) return;
  const same = by(alone) === by(first);
  const because = `it is ${String(alone.id)} with ${sortBy} ${String(alone[sortBy])}`;
  const expected = `${sortBy} ${String(first[sortBy])} first with limit 1, too, as with limit ${SMALL_PAGE_SIZE}`;
  expectThat(lab, same, answer, expected, because);
}

/** The newest invoice is not the one that is due last. */
async function createNewestDueEarlier(lab: CheckContext): Promise<void> {
  if (!mayCreateInvoices(lab)) return;
  await lab.run.memoize('newest due before others', async () => {
    const days = dueDates(lab);
    for (const dueDate of [days.at(-1), days[0]]) await createInvoice(lab, dueDate ? { dueDate } : {});
  });
}

/** Throws a Breach unless pages of one, two and three records begin with the newest. True when the two newest share their createdAt. */
async function expectNewestListedFirst(lab: CheckContext): Promise<boolean> {
  const [first, second] = (await readPage(lab, NEWEST_FIRST)).records;
  const newest = first ? createdAtMs(first) : Number.NaN;
  if (!first || Number.isNaN(newest)) return notApplicable('there is no invoice whose time of creation could be read');
  for (const limit of [1, 2, 3]) {
    const { response: answer, records } = await readPage(lab, { ...NEWEST_SORT, page: 0, limit });
    const [front] = records;
    const told = front ? createdAtMs(front) : Number.NaN;
    const because = front ? `it begins with one of ${String(front.createdAt)}` : 'it holds none';
    const expected = `a page of ${limit} that begins with the newest, of ${String(first.createdAt)}`;
    expectThat(lab, told >= newest, answer, expected, because);
  }
  return second !== undefined && createdAtMs(second) === newest;
}

export const sortingChecks: readonly Check[] = [
  // What others do in production moves its totals, not its order.
  listsOfOtherKeysCheck('LIST-06.every-key', expectNewestFirst, (lab) => [
    ...otherSandboxActors(lab),
    ...lab.availableActors('production'),
  ]),

  checkInPhase('late', 'LIST-06.pages', ['seller'], async (lab) => {
    await createNewestDueEarlier(lab);
    await whileUnchanged(lab, async () => {
      for (const [field, by] of [['createdAt', creationTimeMs] as const, ['dueDate', dueDateNumber] as const]) {
        const pages = await readCombinedPages(lab, field);
        if (pages) expectOrder(lab, pages, field, 'desc', by);
        // The newest invoice may also be the one due last, but it is never the oldest.
        for (const order of ['desc', 'asc'] as const) await expectSameFirstRecord(lab, field, order, by);
      }
      for (const field of ['status', 'currency']) {
        const pages = await readCombinedPages(lab, field);
        if (pages) expectGrouped(lab, pages.response, field, pages.records);
      }
      const pages = await readCombinedPages(lab, 'amount');
      if (pages) expectAmountsDescending(lab, pages);
    });
  }),

  // What else a query names is no condition of its order.
  checkInPhase('late', 'LIST-06.without-page-or-limit', ['seller'], async (lab) => {
    for (const query of [NEWEST_SORT, { ...NEWEST_SORT, limit: 10 }, { ...NEWEST_SORT, page: 0 }])
      expectOrder(lab, await readPage(lab, query), 'createdAt', 'desc', creationTimeMs);
  }),

  // Pages may be in order, each for itself, and lack what belongs in front of them all.
  checkInPhase('late', 'LIST-06.due-last', ['connection'], (lab) =>
    aroundCreations(lab, {
      before: async (dueDate) => dueDate,
      after: async (made, dueDate) => {
        if (made[0]?.body.dueDate !== dueDate) notApplicable(`invoices that are due on ${dueDate} are refused`);
        const answer = await listInvoices(lab, { page: 0, limit: 100, sortBy: 'dueDate', sortOrder: 'desc' });
        if (answer.status === 400) notApplicable('sorting by dueDate is refused; only createdAt is shown');
        const records = listItems(answer);
        const at = records.findIndex(({ id }) => made.some((each) => each.id === String(id)));
        const inFront = at < 0 ? records : records.slice(0, at);
        const sooner = inFront.find((record) => dueDateNumber(record) < Number(dueDate.replaceAll('-', '')));
        const expected = `the invoices due on ${dueDate}, such as ${made[0]?.id}, before all that are due earlier`;
        const because = sooner
          ? `invoice ${String(sooner.id)}, due on ${String(sooner.dueDate)}, comes first`
          : 'the list is empty';
        expectThat(lab, records.length > 0 && !sooner, answer, expected, because);
      },
    }),
  ),

  sortedListCheck('LIST-06.created-at-desc', 'createdAt', 'desc', creationTimeMs),

  groupedListCheck('LIST-06.status-desc', 'status'),

  groupedListCheck('LIST-06.currency-desc', 'currency'),

  sortedListCheck('LIST-06.due-date-desc', 'dueDate', 'desc', dueDateNumber),

  checkInPhase('late', 'LIST-06.newest-on-small-pages', ['seller'], async (lab) => {
    let isTied = false;
    await whileUnchanged(lab, async () => {
      isTied = await expectNewestListedFirst(lab);
    });
    // When the two newest share their createdAt, a page may rightly begin with either.
    if (!isTied || !mayCreateInvoices(lab)) return;
    await confirmBreachExclusively(lab, async () => {
      await createAfterClockTick(lab);
      await expectNewestListedFirst(lab);
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
