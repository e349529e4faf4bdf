import { listInvoices } from '../../helpers/api/operations.ts';
import { is2xx } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
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
      if (!is2xx(response)) expectRejected(ctx, response, FAR_PAGE_PATTERN.test(query) ? [400, 404] : [400]);
    }
  });
}

/** A page past the end of any list, for which a server may return 404. */
const FAR_PAGE_PATTERN = /^page=\d{9}/;

/** The largest numbers of nine digits, and of 31, 32 and 53 bits. They exceed these ranges when multiplied by the limit. */
const LARGEST_INTEGERS = ['999999999', '2147483647', '4294967295', '9007199254740991'];

/** Mainly recorded: the contract does not specify which fields and directions a query may name. */
const UNKNOWN_SORT_FIELDS = [
  'sortBy=noSuchField&sortOrder=desc',
  'sortBy=createdAt&sortOrder=sideways',
  // A property that every JavaScript object has.
  'sortBy=constructor&sortOrder=desc',
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

  unusualQueryCheck('LIST-11.limit-huge', 'page=0&limit=99999999999999999999'),

  unusualQueryCheck('LIST-11.limit-fraction', 'page=0&limit=2.5'),

  unusualQueryCheck('LIST-11.page-fraction', 'page=1.5&limit=10'),

  unusualQueryCheck('LIST-11.page-infinite', 'page=Infinity&limit=10'),

  unusualQueryCheck(
    'LIST-11.page-huge',
    ...['99999999999999999999', ...LARGEST_INTEGERS].map((page) => `page=${page}&limit=100`),
  ),

  checkInPhase('late', 'LIST-11.sorting', ['seller'], async (ctx) => {
    for (const query of UNKNOWN_SORT_FIELDS) {
      const response = await listInvoices(ctx, query);
      ctx.observe('query-unusual', `${query}: ${response.status}`);
      if (!is2xx(response)) expectRejected(ctx, response, [400]);
    }
  }),
];
