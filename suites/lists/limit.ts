import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { type ListQuery, listInvoices } from '../../helpers/api/operations.ts';
import { type ApiResponse, bodyMember, describeResponse, is2xx } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { memberIs } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { DELETION_TOLERANCE, type ListPage, parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { SORT_ORDERS } from '../../helpers/lists/order-checks.ts';
import { listWithPageSizes } from '../../helpers/lists/queries/other-names.ts';
import type { Expectation } from '../../specs/formats/expectation.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const limitQueries = (...values: readonly (number | string)[]) => values.map((limit) => ({ limit }));

type LimitQuery = ListQuery & { limit: number | string; named?: true };

function aboveMaximumCheck(id: CheckId, ...queries: readonly LimitQuery[]): Check {
  // Late, because only a sandbox with more than 100 invoices can show a longer page.
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    for (const { named, ...query } of queries) {
      const response = await listInvoices(ctx, { page: 0, ...query }, named ? { headers: sandboxHeader } : {});
      ctx.observe(
        'limit-above-maximum',
        `${response.status} with limit ${JSON.stringify(bodyMember(response, 'limit') ?? null)}`,
      );
      if (is2xx(response)) expectMaximumRespected(ctx, response);
      else expectRejected(ctx, response, [400]);
    }
  });
}

function expectMaximumRespected(ctx: CheckContext, response: ApiResponse): void {
  const { records, limit: applied } = parsePage(response);
  const because = `the response has limit ${applied} and ${records.length} records`;
  const kept = records.length <= 100 && applied <= 100;
  expectThat(ctx, kept, response, 'a rejection with 400, or limit 100 or less and at most 100 records', because, {
    body: '$status == 400 or ((.limit | numbers) <= 100 and (.items | length) <= 100)',
    fields: [{ path: [applied > 100 ? 'limit' : 'items'] }],
  });
}

/** The page is full, or the list ends on it. */
const FULL_PAGE: Expectation = {
  body: '(.items | length) == .limit or (.page + 1) * .limit > .total',
  given: '.total > 0',
  fields: [{ path: ['items'] }],
};

const FEW_ENOUGH: Expectation = { body: '(.items | length) <= .limit', fields: [{ path: ['items'] }] };

function expectLimitApplied(ctx: CheckContext, { response, limit: applied }: ListPage, limit: number): void {
  const because = `the envelope says ${applied}`;
  expectThat(ctx, applied === limit, response, `limit ${limit}`, because, memberIs('limit', limit));
}

function expectFirstPageFull(ctx: CheckContext, { response, total, records }: ListPage, limit: number): void {
  const full = total < limit + DELETION_TOLERANCE || records.length === limit;
  const because = `the page has ${records.length} records`;
  expectThat(ctx, full, response, `${limit} records of ${total}`, because, FULL_PAGE);
}

async function expectSecondPageFull(ctx: CheckContext, order: Pick<ListQuery, 'sortBy' | 'sortOrder'>): Promise<void> {
  const limit = 7;
  const response = await listInvoices(ctx, { page: 1, limit, ...order });
  // Other checks judge which fields a list can be sorted by.
  if (!is2xx(response)) return;
  const { total, page, records } = parsePage(response);
  const full = page !== 1 || total < 2 * limit + DELETION_TOLERANCE || records.length === limit;
  const expected = `${limit} records on page 1, with total ${total}`;
  expectThat(ctx, full, response, expected, `the page has ${records.length} records`, FULL_PAGE);
}

export const listsLimitChecks: readonly Check[] = [
  aboveMaximumCheck('LIST-05.above-maximum', { limit: 101 }),

  aboveMaximumCheck('LIST-05.far-above-maximum', { limit: 100_000 }),

  aboveMaximumCheck('LIST-05.round-numbers-above-maximum', ...limitQueries(200, 250, 500, 1000)),

  aboveMaximumCheck('LIST-05.number-forms', ...limitQueries('1e3', '0200', '+200', 'Infinity', '-2')),

  aboveMaximumCheck(
    'LIST-05.above-maximum-other-queries',
    { limit: 150, page: 1 },
    { limit: 150, sortBy: 'createdAt', sortOrder: 'desc' },
    { limit: 150, sortBy: 'createdAt', sortOrder: 'asc' },
    { limit: 150, sortBy: 'amount' },
    { limit: 150, named: true },
  ),

  // The contract does not declare these parameters, so a server may ignore or reject them.
  checkInPhase('late', 'LIST-05.other-names', ['seller'], async (ctx) => {
    const lists = await listWithPageSizes(ctx);
    for (const response of lists) {
      expectMaximumRespected(ctx, response);
      const { records, limit } = parsePage(response);
      const because = `the envelope says limit ${limit}, and the page has ${records.length} records`;
      expectThat(ctx, records.length <= limit, response, `at most ${limit} records`, because, FEW_ENOUGH);
    }
  }),

  checkInPhase('late', 'LIST-05.every-key', ['seller'], async (ctx) => {
    const names = ctx.availableActors('buyer', 'readOnly', 'outsider', 'production');
    const responses = await Promise.all(
      names.map((name) => listInvoices(ctx, { page: 0, limit: 101 }, { as: ctx.credentials(name) })),
    );
    // The contract does not specify which keys may list.
    const served = responses.filter(is2xx);
    for (const response of served) expectMaximumRespected(ctx, response);
    if (!responses.some((response) => is2xx(response) || response.status === 400))
      notApplicable('no other key of the target file may list invoices');
  }),

  // Late, when there are enough invoices to fill a page.
  checkInPhase('late', 'LIST-05.applied', ['seller'], async (ctx) => {
    ctx.observe('default-limit', (await readPage(ctx, {})).limit);
    for (const limit of [1, 2, 5, 50, 99, 100]) {
      const page = await readPage(ctx, { page: 0, limit });
      expectLimitApplied(ctx, page, limit);
      expectFirstPageFull(ctx, page, limit);
    }
    // A later page must be full too, also when its records share values of the sort field with the page before.
    await Promise.all(SORT_ORDERS.map(([sortBy, sortOrder]) => expectSecondPageFull(ctx, { sortBy, sortOrder })));
  }),

  check('LIST-05.maximum', ['seller'], async (ctx) => {
    const response = await listInvoices(ctx, { page: 0, limit: 100 });
    expectThat(
      ctx,
      is2xx(response),
      response,
      'a page of up to 100 records',
      `the server returned ${describeResponse(response)}`,
      { status: 'success' },
    );
    expectLimitApplied(ctx, parsePage(response), 100);
  }),

  check('LIST-05.limit-without-page', ['seller'], async (ctx) => {
    const { response, limit, records } = await readPage(ctx, { limit: 3 });
    const because = `the response has limit ${limit} and ${records.length} records`;
    expectThat(ctx, limit === 3 && records.length <= 3, response, 'limit 3 and at most 3 records', because, {
      body: '.limit == 3 and (.items | length) <= 3',
      fields: [{ path: [limit === 3 ? 'items' : 'limit'] }],
    });
  }),

  // Late, when there are more invoices than a page may hold.
  checkInPhase('late', 'LIST-05.default', ['seller'], async (ctx) => {
    const response = await listInvoices(ctx);
    expectThat(ctx, is2xx(response), response, 'a list', `the server returned ${response.status}`, {
      status: 'success',
    });
    const { records, limit, page, total } = parsePage(response);
    const because = `the response has limit ${limit} and ${records.length} records`;
    expectThat(
      ctx,
      records.length <= 100 && limit <= 100,
      response,
      'limit 100 or less and at most 100 records',
      because,
      {
        body: '(.limit | numbers) <= 100 and (.items | length) <= 100',
        fields: [{ path: [limit > 100 ? 'limit' : 'items'] }],
      },
    );
    const full = page !== 0 || total < limit + DELETION_TOLERANCE || records.length === limit;
    expectThat(ctx, full, response, `${limit} records of ${total}, as the envelope says`, because, FULL_PAGE);
  }),
];
