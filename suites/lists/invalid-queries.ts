import { listInvoices } from '../../helpers/api/operations.ts';
import { is2xx } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { parsePage } from '../../helpers/invoices/list-page.ts';
import { expectPastEnd } from '../../helpers/lists/queries/past-end.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

// Late, because the pages of an empty sandbox do not show the defects.
function outOfRangeCheck(id: CheckId, name: 'page' | 'limit', wrong: string): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    const response = await listInvoices(ctx, { [name]: wrong });
    if (name === 'limit' && wrong !== 'many') ctx.observe('limit-below-one', `${wrong}: ${response.status}`);
    // Exchange rules judge the envelope of an accepted query.
    if (is2xx(response)) return;
    expectRejected(ctx, response, [400]);
  });
}

/** For queries that are ambiguous or malformed, or that request more than can exist. */
function unusualQueryCheck(id: CheckId, ...queries: readonly string[]): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    for (const query of queries) {
      const response = await listInvoices(ctx, query);
      ctx.observe('query-unusual', `${query}: ${response.status}`);
      // Exchange rules judge the envelope of an accepted query.
      if (!is2xx(response)) expectRejected(ctx, response, [400]);
    }
  });
}

/**
 * Pages past the end of any list. The page, the offset or the end of the page exceeds 31, 32, 53, 63 or 64 bits, and most wrap around
 * to a page that exists: 2^26 × 64 is 0 in 32 bits, and 2^58 × 64 is 0 in 64 bits.
 */
const OVERFLOWING_PAGES = [
  { page: '99999999999999999999', limit: 100 },
  { page: '2147483647', limit: 100 },
  { page: '9007199254740991', limit: 100 },
  { page: '21474836', limit: 100 },
  { page: '33554432', limit: 64 },
  { page: '67108864', limit: 64 },
  { page: '4294967296', limit: 100 },
  { page: '92233720368547758', limit: 100 },
  { page: '288230376151711744', limit: 64 },
  { page: '18446744073709551616', limit: 100 },
] as const;

/** Mainly recorded: the contract does not specify which fields and directions a query may name. */
const UNKNOWN_SORT_FIELDS = [
  'sortBy=noSuchField&sortOrder=desc',
  'sortBy=createdAt&sortOrder=sideways',
  // A property that every JavaScript object has.
  'sortBy=constructor&sortOrder=desc',
  // A quotation mark ends a text of SQL.
  "sortBy=created'At&sortOrder=desc",
  // A parameter that is given twice becomes an array in some frameworks.
  'page=0&limit=10&sortBy=createdAt&sortBy=dueDate&sortOrder=desc&sortOrder=asc',
];

export const invalidQueriesChecks: readonly Check[] = [
  check('LIST-10.page-text', ['seller'], async (ctx) =>
    expectRejected(ctx, await listInvoices(ctx, { page: 'first' }), [400]),
  ),

  check('LIST-10.limit-text', ['seller'], async (ctx) => {
    for (const limit of ['many', '5abc', '0x10', '2.5']) expectRejected(ctx, await listInvoices(ctx, { limit }), [400]);
  }),

  outOfRangeCheck('LIST-11.limit-zero', 'limit', '0'),

  outOfRangeCheck('LIST-11.limit-negative', 'limit', '-1'),

  outOfRangeCheck('LIST-11.page-text', 'page', 'first'),

  outOfRangeCheck('LIST-11.limit-text', 'limit', 'many'),

  outOfRangeCheck('LIST-11.page-negative', 'page', '-1'),

  unusualQueryCheck('LIST-11.limit-empty', 'page=0&limit='),

  unusualQueryCheck(
    'LIST-11.limit-repeated',
    'page=0&limit=5&limit=7',
    'page=0&limit=5&limit=700',
    'page=0&limit=700&limit=5',
  ),

  // The numbers after the largest of 31 and 32 bits: a database may take a negative limit or a limit of 0 as no limit.
  unusualQueryCheck(
    'LIST-11.limit-huge',
    ...['99999999999999999999', '2147483648', '4294967296'].map((limit) => `page=0&limit=${limit}`),
  ),

  unusualQueryCheck('LIST-11.limit-fraction', 'page=0&limit=2.5'),

  unusualQueryCheck('LIST-11.page-fraction', 'page=1.5&limit=10'),

  unusualQueryCheck('LIST-11.page-infinite', 'page=Infinity&limit=10'),

  // Late, when the pages to which an offset may wrap around have records.
  checkInPhase('late', 'LIST-11.page-huge', ['seller'], async (ctx) => {
    for (const { page, limit } of OVERFLOWING_PAGES) {
      const response = await listInvoices(ctx, { page, limit });
      ctx.observe('query-unusual', `page=${page}&limit=${limit}: ${response.status}`);
      if (is2xx(response)) expectPastEnd(ctx, parsePage(response), Number(page));
      else expectRejected(ctx, response, [400, 404]);
    }
  }),

  checkInPhase('late', 'LIST-11.sorting', ['seller'], async (ctx) => {
    for (const query of UNKNOWN_SORT_FIELDS) {
      const response = await listInvoices(ctx, query);
      ctx.observe('query-unusual', `${query}: ${response.status}`);
      if (!is2xx(response)) expectRejected(ctx, response, [400]);
    }
  }),
];
