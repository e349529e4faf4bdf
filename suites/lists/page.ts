import { listInvoices } from '../../helpers/api/operations.ts';
import { createdAtMs, is2xx, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { breach, expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase } from '../../helpers/context/check.ts';
import { type ListPage, parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { skipUnlessListedFirst } from '../../helpers/invoices/recent-invoices.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import { expectNewestListedOnce } from '../../helpers/lists/newest-first-walk.ts';
import { NEWEST_SORT } from '../../helpers/lists/order-checks.ts';
import { expectNamedPageServed } from '../../helpers/lists/queries/other-names.ts';
import { expectPastEnd } from '../../helpers/lists/queries/past-end.ts';
import { afterCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import type { ActorName } from '../../specs/target-file/target.ts';

/** Large enough that the records rarely all share one createdAt. */
const SAMPLE_SIZE = 20;

/** A page index past the end of any list. */
const PAGE_PAST_END = 1_000_000;

const BASE_PAGE_SIZE = 5;

/**
 * Whether page 1 has no records but those of page 0, as on a server that ignores `page`. An unstable order may repeat some records.
 */
function repeatsFirstPage(first: ListPage, second: ListPage): boolean {
  const known = new Set(first.records.map(({ id }) => id));
  return second.records.length > 0 && second.records.every(({ id }) => known.has(id));
}

function expectOtherRecords(ctx: CheckContext, first: ListPage, second: ListPage, owner = ''): void {
  expectThat(
    ctx,
    !repeatsFirstPage(first, second),
    second.response,
    `other records on page 1 than on page 0${owner}`,
    'page 1 repeats the records of page 0',
  );
}

/** Expects other records on page 1 than on page 0 of a key's list. Returns false when there are too few invoices to compare. */
async function expectDistinctSecondPage(ctx: CheckContext, name: ActorName): Promise<boolean> {
  for (const limit of [BASE_PAGE_SIZE, 4 * BASE_PAGE_SIZE, 10 * BASE_PAGE_SIZE]) {
    const request = (page: number) => listInvoices(ctx, { ...NEWEST_SORT, limit, page }, { as: ctx.credentials(name) });
    const responses = [await request(0), await request(1)] as const;
    if (responses.some((response) => !is2xx(response))) return false;
    const [first, second] = [parsePage(responses[0]), parsePage(responses[1])];
    // Past the end, a server may return its last page.
    if (first.totalPages < 2 || second.records.length < limit) return false;
    // The contract does not specify the order of invoices with the same createdAt, so the check tries larger pages.
    const moments = new Set([...first.records, ...second.records].map(createdAtMs));
    if (moments.size === 1) continue;
    expectOtherRecords(ctx, first, second, ` for the ${name} key`);
    return true;
  }
  return false;
}

export const listsPageChecks: readonly Check[] = [
  checkInPhase('late', 'LIST-04.page-left-out', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const left = await readPage(ctx, { ...NEWEST_SORT, limit: SAMPLE_SIZE });
      const requests = parsePage(await listInvoices(ctx, { ...NEWEST_SORT, limit: SAMPLE_SIZE, page: left.page }));
      const [first] = left.records;
      if (!first) return notApplicable('the page that the server returned has no records');
      // The order of invoices with the same createdAt may vary, but both pages must begin with the same createdAt.
      const [begins] = requests.records;
      const same = begins !== undefined && createdAtMs(begins) === createdAtMs(first);
      const because = `the envelope says page ${left.page}, and the first record has createdAt ${String(first.createdAt)}; requested by its index, page ${left.page} begins with ${begins ? `createdAt ${String(begins.createdAt)}` : 'no record'}`;
      const expected = 'page: the zero-based index of the served page';
      if (!same) throw breach(ctx, left.response, expected, because, [requests.response]);
    }),
  ),

  checkInPhase('late', 'LIST-04.first-is-zero', ['connection'], async (ctx) => {
    await expectNoListDefect(ctx, 'LIST-04.first-is-zero');
    await afterCreations(ctx, async (made) => {
      const response = await listInvoices(ctx, { page: 0, limit: 50, ...NEWEST_SORT });
      expectThat(ctx, is2xx(response), response, 'the first page', `the server returned ${response.status}`, {
        status: 'success',
      });
      const ids = listItems(response).map(({ id }) => String(id));
      const absent = made.find(({ id }) => !ids.includes(id));
      if (absent) await skipUnlessListedFirst(ctx, absent, listItems(response));
      expectThat(
        ctx,
        !absent,
        response,
        'the newest invoices on page 0',
        `page 0 does not show invoice ${absent?.id}, which the kit has just created`,
      );
    });
  }),

  checkInPhase('late', 'LIST-04.second-is-one', ['connection'], (ctx) =>
    expectNewestListedOnce(ctx, { limit: 4, ...NEWEST_SORT }),
  ),

  checkInPhase('late', 'LIST-04.page-without-limit', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const first = await readPage(ctx, NEWEST_SORT);
      if (first.totalPages < 2) notApplicable('the list has only one page');
      const second = await readPage(ctx, { ...NEWEST_SORT, page: 1 });
      expectOtherRecords(ctx, first, second);
    }),
  ),

  checkInPhase('late', 'LIST-04.ascending', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const query = { limit: 5, sortBy: 'createdAt', sortOrder: 'asc' };
      const responses = [
        await listInvoices(ctx, { ...query, page: 0 }),
        await listInvoices(ctx, { ...query, page: 1 }),
      ];
      if (!responses.every(isSuccess)) notApplicable('the server does not serve lists in ascending order');
      const [first, second] = responses.map(parsePage);
      if (!first || !second) return;
      // The order of invoices with the same createdAt may vary, so page 1 may repeat records that share it with the end of page 0.
      const goesOn = second.records.every(({ createdAt }) => createdAt === first.records.at(-1)?.createdAt);
      if (goesOn && repeatsFirstPage(first, second)) notApplicable('the oldest invoices share one createdAt');
      expectOtherRecords(ctx, first, second);
    }),
  ),

  checkInPhase('late', 'LIST-04.every-key', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const names = ctx.availableActors('buyer', 'readOnly', 'production', 'outsider');
      const shown = await Promise.all(names.map((name) => expectDistinctSecondPage(ctx, name)));
      if (!shown.includes(true)) notApplicable('no other key lists two pages of invoices with different createdAt');
    }),
  ),

  checkInPhase('late', 'LIST-04.other-names', ['seller'], (ctx) =>
    whileUnchanged(ctx, () => expectNamedPageServed(ctx)),
  ),

  checkInPhase('late', 'LIST-04.past-the-end', ['seller'], async (ctx) => {
    const { totalPages } = await readPage(ctx, { page: 0, limit: 50 });
    for (const page of [totalPages + 50, PAGE_PAST_END]) {
      const response = await listInvoices(ctx, { page, limit: 50 });
      ctx.observe('page-past-end', response.status);
      // 404 is also a valid rejection for a page.
      if (is2xx(response)) expectPastEnd(ctx, parsePage(response), page);
      else expectRejected(ctx, response, [400, 404]);
    }
  }),
];
