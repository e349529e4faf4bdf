import { listInvoices } from '../../helpers/api/operations.ts';
import { createdAtMs, is2xx, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { breach, expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { skipUnlessListedFirst } from '../../helpers/invoices/find-invoice.ts';
import { parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import { expectNewestListedOnce } from '../../helpers/lists/newest-first-walk.ts';
import { afterCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import { NEWEST_SORT } from '../../helpers/lists/sort-orders.ts';
import type { ActorName } from '../../specs/target.ts';

/** So many that hardly all of them are of one moment. */
const SAMPLE_SIZE = 20;

/** So far behind that no sandbox has it. */
const PAGE_PAST_END = 1_000_000;

const BASE_PAGE_SIZE = 5;

/** Another key's second page is not its first one over again; false where there is too little to tell. */
async function expectDistinctSecondPage(ctx: CheckContext, name: ActorName): Promise<boolean> {
  for (const limit of [BASE_PAGE_SIZE, 4 * BASE_PAGE_SIZE, 10 * BASE_PAGE_SIZE]) {
    const ask = (page: number) => listInvoices(ctx, { ...NEWEST_SORT, limit, page }, { as: ctx.credentials(name) });
    const responses = [await ask(0), await ask(1)] as const;
    if (responses.some((response) => !is2xx(response))) return false;
    const [first, second] = [parsePage(responses[0]), parsePage(responses[1])];
    // Behind the end a server may show its last page again.
    if (first.totalPages < 2 || second.records.length < limit) return false;
    // In which order invoices of one moment stand, and whether they keep it, is not shown: then larger pages may tell.
    const moments = new Set([...first.records, ...second.records].map(createdAtMs));
    if (moments.size === 1) continue;
    const known = new Set(first.records.map(({ id }) => id));
    const again = second.records.every(({ id }) => known.has(id));
    expectThat(ctx, !again, second.response, `other records on page 1 than on page 0 for ${name}`, 'they are the same');
    return true;
  }
  return false;
}

export const listsPageChecks: readonly Check[] = [
  checkInPhase('late', 'LIST-04.page-left-out', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const left = await readPage(ctx, { ...NEWEST_SORT, limit: SAMPLE_SIZE });
      const asked = parsePage(await listInvoices(ctx, { ...NEWEST_SORT, limit: SAMPLE_SIZE, page: left.page }));
      const [first] = left.records;
      if (!first) return notApplicable('there is nothing on the page that is served');
      // Invoices of one moment may stand in another order each time, but both begin with the same moment.
      const [begins] = asked.records;
      const same = begins !== undefined && createdAtMs(begins) === createdAtMs(first);
      const because = `it tells page ${left.page} and begins with one of ${String(first.createdAt)}; page ${left.page} begins with ${begins ? `one of ${String(begins.createdAt)}` : 'none'}`;
      const expected = 'the zero-based index of the page that was served';
      if (!same) throw breach(ctx, left.response, expected, because, [asked.response]);
    }),
  ),

  checkInPhase('late', 'LIST-04.first-is-zero', ['connection'], async (ctx) => {
    await expectNoListDefect(ctx, 'LIST-04.first-is-zero');
    await afterCreations(ctx, async (made) => {
      const response = await listInvoices(ctx, { page: 0, limit: 50, ...NEWEST_SORT });
      expectThat(ctx, is2xx(response), response, 'the first page', `answered with ${response.status}`);
      const ids = listItems(response).map(({ id }) => String(id));
      const absent = made.find(({ id }) => !ids.includes(id));
      if (absent) await skipUnlessListedFirst(ctx, absent, listItems(response));
      expectThat(
        ctx,
        !absent,
        response,
        'the newest invoices on page 0',
        `invoice ${absent?.id}, created a moment ago, is not there`,
      );
    });
  }),

  checkInPhase('late', 'LIST-04.second-is-one', ['connection'], (ctx) =>
    expectNewestListedOnce(ctx, { limit: 4, ...NEWEST_SORT }),
  ),

  checkInPhase('late', 'LIST-04.page-without-limit', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const first = await readPage(ctx, NEWEST_SORT);
      if (first.totalPages < 2) notApplicable('there is one page only');
      const second = await readPage(ctx, { ...NEWEST_SORT, page: 1 });
      const known = new Set(first.records.map(({ id }) => id));
      // Some may stand on both where their order is not kept; all of them do where the page was not looked at.
      const again = second.records.length > 0 && second.records.every(({ id }) => known.has(id));
      expectThat(ctx, !again, second.response, 'other records on page 1 than on page 0', 'they are the same');
    }),
  ),

  checkInPhase('late', 'LIST-04.ascending', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const query = { limit: 5, sortBy: 'createdAt', sortOrder: 'asc' };
      const responses = [
        await listInvoices(ctx, { ...query, page: 0 }),
        await listInvoices(ctx, { ...query, page: 1 }),
      ];
      if (!responses.every(isSuccess)) notApplicable('lists in ascending order are not served');
      const [first, second] = responses.map(parsePage);
      if (!first || !second) return;
      const known = new Set(first.records.map(({ id }) => id));
      const again = second.records.length > 0 && second.records.every(({ id }) => known.has(id));
      // Those of one moment may stand in any order, and in another one each time: only the last of page 0 can go on.
      const goesOn = second.records.every(({ createdAt }) => createdAt === first.records.at(-1)?.createdAt);
      if (again && goesOn) notApplicable('the oldest invoices are of one moment');
      expectThat(ctx, !again, second.response, 'other records on page 1 than on page 0', 'they are the same');
    }),
  ),

  checkInPhase('late', 'LIST-04.every-key', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const names = ctx.availableActors('buyer', 'readOnly', 'production', 'outsider');
      const told = await Promise.all(names.map((name) => expectDistinctSecondPage(ctx, name)));
      if (!told.includes(true)) notApplicable('no other key lists invoices of several moments on two pages');
    }),
  ),

  checkInPhase('late', 'LIST-04.past-the-end', ['seller'], async (ctx) => {
    const { totalPages, total } = await readPage(ctx, { page: 0, limit: 50 });
    for (const page of [totalPages + 50, PAGE_PAST_END]) {
      const response = await listInvoices(ctx, { page, limit: 50 });
      ctx.observe('page-past-end', response.status);
      // Not to be there is a refusal that fits a page, too.
      if (!is2xx(response)) {
        expectRejected(ctx, response, [400, 404]);
        continue;
      }
      const { records, page: served, limit, total: told } = parsePage(response);
      const because = `it holds ${records.length}`;
      expectThat(ctx, records.length === 0 || served < page, response, `no records on page ${page}`, because);
      const other = records.length === 0 && served !== page && served * limit < told;
      const empty = `it tells page ${served}, of ${told} records, and holds none`;
      expectThat(ctx, !other, response, `page ${page}, or the records of page ${served}`, empty);
      const counted = told > 0 || total === 0;
      expectThat(ctx, counted, response, `the total number of records, which was ${total} on page 0`, `it is ${told}`);
    }
  }),
];
