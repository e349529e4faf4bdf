import { listInvoices, NEWEST_FIRST } from '../../helpers/api/operations.ts';
import { INVOICE_FIELDS, is2xx, isSuccess } from '../../helpers/api/responses.ts';
import { CHANGING_LIST, confirmBreach } from '../../helpers/assert/confirm-breach.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { blockedBy, disturbedByOthers, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { FINAL_SAMPLES, skipForUnstableTotal, skipUnlessTotalStable } from '../../helpers/assert/stable-total.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import { exclusively, withLateEffects } from '../../helpers/invoices/exclusive-section.ts';
import { newestInvoices } from '../../helpers/invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice } from '../../helpers/invoices/invoices.ts';
import { type ListPage, parsePage, readDeepPage, readPage, readTotal } from '../../helpers/invoices/list-page.ts';
import { deleteDraft } from '../../helpers/lists/deleted-draft.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import { NEWEST_SORT } from '../../helpers/lists/order-checks.ts';
import { listsOfOtherKeysCheck, MAX_LIMIT, type PageReader } from '../../helpers/lists/other-key-lists.ts';
import { aroundCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import type { ActorName } from '../../specs/target-file/target.ts';

const FIELDS_FOR_OTHERS = ['amount', 'dueDate'] as const;

/**
 * Expects the same total for every limit and order, and the remaining records on the last page. Returns false when the key cannot
 * read these pages.
 */
async function expectConsistentTotal(ctx: CheckContext, request: PageReader, name: ActorName): Promise<boolean> {
  const [first, single] = [await request(0, MAX_LIMIT), await request(0, 1)];
  if (!first || Number.isNaN(first.total)) return false;
  const expectKept = async (kept: boolean, { response }: ListPage, expected: string, because: string) => {
    if (!kept) await skipUnlessTotalStable(ctx, async () => (await request(0, 1))?.total ?? 0, FINAL_SAMPLES);
    expectThat(ctx, kept, response, expected, because);
  };
  if (single) {
    const expected = `total ${first.total} in the list of the ${name} key, regardless of the limit`;
    await expectKept(single.total === first.total, single, expected, `total is ${single.total} with limit 1`);
  }
  // A list that depends on the order usually does so for all keys of a kind.
  const fields = name === 'buyer' ? INVOICE_FIELDS : FIELDS_FOR_OTHERS;
  const sorted = await Promise.all(fields.map(async (field) => [field, await request(0, 1, field)] as const));
  for (const [field, page] of sorted) {
    if (!page) continue;
    // Reads the extra invoices, so that LIST-09.only-own can judge whose they are.
    if (page.total > first.total) await readPages(request, field, page.total);
    const expected = `total ${first.total} in the list of the ${name} key, regardless of the order`;
    await expectKept(page.total === first.total, page, expected, `total is ${page.total} with sortBy ${field}`);
  }
  const at = Math.max(0, Math.ceil(first.total / MAX_LIMIT) - 1);
  const last = await request(at, MAX_LIMIT);
  if (!last) return false;
  const left = last.total - at * MAX_LIMIT;
  const expected = `${left} records on the last page of the list of the ${name} key`;
  const because = `page ${at} has ${last.records.length} records, with total ${last.total}`;
  await expectKept(last.records.length === left, last, expected, because);
  return true;
}

/** Reads the last page, and how many records `total` leaves for it. */
async function readLastPage(ctx: CheckContext): Promise<{ last: ListPage; left: number }> {
  const { total } = await readPage(ctx, { page: 0, limit: 1 });
  const page = Math.max(0, Math.ceil(total / MAX_LIMIT) - 1);
  const last = await readDeepPage(ctx, { page, limit: MAX_LIMIT });
  if (!last) return notApplicable(`the server does not serve the page with the last of ${total} records`);
  if (last.limit !== MAX_LIMIT)
    blockedBy(
      'LIST-05.applied',
      `the page with the last of ${total} records has limit ${last.limit}, not ${MAX_LIMIT}`,
    );
  // Another client may have created or deleted invoices since the first request.
  return { last, left: last.total - page * MAX_LIMIT };
}

const isLastPageComplete = ({ last, left }: { last: ListPage; left: number }) =>
  last.records.length === left || last.page !== Math.max(0, Math.ceil(last.total / MAX_LIMIT) - 1);

const MAX_PAGES_READ = 12;

async function readPages(request: PageReader, sortBy: string, total: number): Promise<void> {
  const pages = Math.min(MAX_PAGES_READ, Math.ceil(total / MAX_LIMIT));
  await Promise.all(Array.from({ length: pages }, (_, page) => request(page, MAX_LIMIT, sortBy)));
}

/** The newest invoices in the list of each other key. Leaves out the keys that may not list. */
async function readNewestForOtherKeys(ctx: CheckContext): Promise<Map<ActorName, ListPage>> {
  const pages = await Promise.all(
    ctx.availableActors('buyer', 'readOnly').map(async (name) => {
      const page = parsePage(await listInvoices(ctx, NEWEST_FIRST, { as: ctx.credentials(name) }));
      return is2xx(page.response) ? [[name, page] as const] : [];
    }),
  );
  return new Map(pages.flat());
}

/** The lists that show all these invoices. The contract does not specify whether a buyer sees drafts. */
function listsShowing(pages: ReadonlyMap<ActorName, ListPage>, made: readonly Invoice[]): [ActorName, ListPage][] {
  const ids = new Set(made.map(({ id }) => id));
  return [...pages].filter(([, { records }]) => records.filter(({ id }) => ids.has(String(id))).length === ids.size);
}

/** A list that shows the created invoices must count them. */
function expectCreationsCounted(
  ctx: CheckContext,
  name: ActorName,
  { response, total }: ListPage,
  before: ListPage | undefined,
  count: number,
): void {
  if (!before) return;
  const grown = before.total + count;
  const expected = `a total of at least ${grown} for the ${name} key: ${before.total} before, and ${count} creations`;
  const because = `total is ${total}, but the list shows all created invoices`;
  expectThat(ctx, total >= grown, response, expected, because);
}

/** Throws DisturbedByOthers when foreign invoices are among the newest ones, because they raise the total too. */
async function skipIfOthersCreated(ctx: CheckContext, made: readonly Invoice[]): Promise<void> {
  const own = new Set(made.map(({ id }) => id));
  const ids = (await newestInvoices(ctx)).records.map(({ id }) => String(id));
  const since = ids.slice(0, ids.findLastIndex((id) => own.has(id)) + 1);
  const [other] = since.filter((id) => !own.has(id));
  if (other !== undefined)
    disturbedByOthers(`invoice ${other}, which this check did not create, is among the newest invoices`);
}

export const envelopeChecks: readonly Check[] = [
  listsOfOtherKeysCheck('LIST-02.every-key', expectConsistentTotal),

  checkInPhase('late', 'LIST-02.counts-for-every-key', ['connection'], (ctx) =>
    aroundCreations(ctx, {
      before: () => readNewestForOtherKeys(ctx),
      after: async (made, before) => {
        const showing = listsShowing(await readNewestForOtherKeys(ctx), made);
        for (const [name, page] of showing) expectCreationsCounted(ctx, name, page, before.get(name), made.length);
        if (showing.length === 0) notApplicable('no other key lists all the invoices that the seller has just created');
      },
    }),
  ),

  checkInPhase('late', 'LIST-02.counts-creations', ['connection'], async (ctx) => {
    await expectNoListDefect(ctx, 'LIST-02.counts-creations');
    await aroundCreations(ctx, {
      before: async () => {
        await listInvoices(ctx, { page: 1, limit: 1 });
        return await readTotal(ctx);
      },
      after: async (made, before) => {
        const { length } = made;
        // A server may serve a later page from a cursor that it opened before the creations.
        for (const page of [1, 0]) {
          const { response, total } = await readPage(ctx, { page, limit: 1 });
          if (total > before + length) await skipIfOthersCreated(ctx, made);
          const expected = `total ${before + length}: ${before} before, and ${length} creations`;
          expectThat(ctx, total === before + length, response, expected, `total is ${total}`);
        }
      },
    });
  }),

  checkInPhase(FIRST_IN_LATE, 'LIST-02.counts-deletions', ['connection', 'delete'], async (ctx) => {
    const experiment = async (ctx: CheckContext) => {
      await deleteDraft(ctx, await createInvoiceInState(ctx, 'DRAFT'));
      const { last, left } = await pollUntil(ctx, () => readLastPage(ctx), isLastPageComplete, 'counts a deletion');
      const because = `page ${last.page} has ${last.records.length} records, with total ${last.total}`;
      const kept = isLastPageComplete({ last, left });
      expectThat(ctx, kept, last.response, `${left} records on the last page after a deletion`, because);
    };
    await exclusively(ctx, (ctx) =>
      withLateEffects(ctx, () => confirmBreach(ctx, CHANGING_LIST, () => experiment(ctx))),
    );
  }),

  checkInPhase('late', 'LIST-02.any-order', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const total = await readTotal(ctx);
      const orders = INVOICE_FIELDS.map((sortBy) => ({ sortBy, sortOrder: 'desc' }));
      const requests = [...orders, { sortBy: 'createdAt', sortOrder: 'asc' }].map((order) =>
        listInvoices(ctx, { page: 0, limit: 1, ...order }),
      );
      // Other checks judge whether a list can be sorted by the field.
      for (const response of (await Promise.all(requests)).filter(is2xx)) {
        const sorted = parsePage(response).total;
        expectThat(ctx, sorted === total, response, `total ${total}, as without an order`, `total is ${sorted}`);
      }
    }),
  ),

  checkInPhase('late', 'LIST-02.last-page', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const limit = 7;
      const first = await readPage(ctx, { page: 0, limit });
      if (first.total === 0) notApplicable('the list has no invoices');
      const last = await readDeepPage(ctx, { page: Math.ceil(first.total / limit) - 1, limit });
      if (!last) return notApplicable(`the server does not serve the page with the last of ${first.total} records`);
      const left = last.total - last.page * limit;
      const because = `page ${last.page} has ${last.records.length} records, with total ${last.total} and limit ${limit}`;
      expectThat(ctx, last.records.length === left, last.response, `${left} records on the last page`, because, {
        body: '(.items | length) == .total - .page * .limit',
        given: '.total > .page * .limit and .total <= (.page + 1) * .limit',
        fields: [{ path: ['items'] }],
      });
    }),
  ),

  checkInPhase('late', 'LIST-02.full-last-page', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const { total } = await readPage(ctx, { page: 0, limit: 1 });
      if (total === 0) notApplicable('the list has no invoices');
      // The largest limit of which the total is an exact multiple; 1 divides every total.
      const limit = Array.from({ length: 100 }, (_, at) => 100 - at).find((each) => total % each === 0) ?? 1;
      const last = await readDeepPage(ctx, { page: total / limit - 1, limit });
      if (!last) return notApplicable(`the server does not serve the page with the last of ${total} records`);
      const because = `page ${last.page} has ${last.records.length} records, with total ${last.total} and limit ${limit}`;
      const full = last.records.length === limit || last.total !== total;
      expectThat(ctx, full, last.response, `${limit} records on the last page`, because);
    }),
  ),

  // Late, because a server that stops counting at some hundreds counts fewer invoices correctly.
  checkInPhase('late', 'LIST-02.beyond-total', ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const { total, totalPages } = await readPage(ctx, { page: 0, limit: 100, ...NEWEST_SORT });
      if (totalPages < 1) return notApplicable('the list has no pages');
      const last = await readPage(ctx, { page: totalPages - 1, limit: 100, ...NEWEST_SORT });
      const response = await listInvoices(ctx, { page: totalPages, limit: 100, ...NEWEST_SORT });
      if (!isSuccess(response)) return;
      const behind = parsePage(response);
      expectThat(ctx, behind.total > 0, response, `a total above 0, because page 0 has total ${total}`, 'total is 0');
      if (behind.total !== total || last.total !== total)
        skipForUnstableTotal(ctx, `it was ${[...new Set([total, last.total, behind.total])].join(', ')}`);
      const known = new Set(last.records.map(({ id }) => id));
      const more = behind.records.filter(({ id }) => !known.has(id));
      const because = `page ${totalPages} has ${more.length} more records, such as invoice ${String(more[0]?.id)}`;
      const none = more.length === 0 || behind.page < totalPages;
      expectThat(ctx, none, response, `no records after the ${total} that total counts`, because);
    }),
  ),

  // Late, because an empty sandbox does not show the defect.
  checkInPhase('late', 'LIST-03.exact-multiple', ['seller'], async (ctx) => {
    const { response, total, totalPages } = await readPage(ctx, { page: 0, limit: 1 });
    if (total === 0) notApplicable('the list has no invoices');
    expectThat(
      ctx,
      totalPages === total,
      response,
      `totalPages ${total} for total ${total} and limit 1`,
      `totalPages is ${totalPages}`,
      { body: '.totalPages == .total', given: '.total > 0', fields: [{ path: ['totalPages'], value: total }] },
    );
  }),

  checkInPhase('late', 'LIST-03.remainder', ['seller'], async (ctx) => {
    const total = await readTotal(ctx);
    const limit = [7, 8, 9, 11, 13].find((each) => total % each !== 0) ?? 17;
    const seen = await readPage(ctx, { page: 0, limit });
    const right = Math.ceil(seen.total / limit);
    expectThat(
      ctx,
      seen.totalPages === right || seen.total === 0,
      seen.response,
      `totalPages ${right} for total ${seen.total} and limit ${limit}`,
      `totalPages is ${seen.totalPages}`,
      {
        body: '.total == 0 or .totalPages == ((.total / .limit) | ceil)',
        given: '.total % .limit != 0',
        fields: [{ path: ['totalPages'], value: right }],
      },
    );
  }),
];
