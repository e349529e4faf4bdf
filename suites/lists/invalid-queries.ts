import { listInvoices } from '../../helpers/api/operations.ts';
import { is2xx } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

// Late, as everything here: nothing can be told from the pages of an empty sandbox.
function outOfRangeCheck(id: CheckId, name: 'page' | 'limit', wrong: string): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    const response = await listInvoices(ctx, { [name]: wrong });
    if (name === 'limit' && wrong !== 'many') ctx.observe('limit-below-one', `${wrong}: ${response.status}`);
    // What a list then says of itself is judged on every list of the run.
    if (is2xx(response)) return;
    expectRejected(ctx, response, [400]);
  });
}

/** Queries that can be read in two ways, or in none; or that ask for more than there can be. */
function unusualQueryCheck(id: CheckId, ...queries: readonly string[]): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    for (const query of queries) {
      const response = await listInvoices(ctx, query);
      ctx.observe('query-unusual', `${query}: ${response.status}`);
      // What a list then says of itself is judged on every list of the run.
      if (!is2xx(response)) expectRejected(ctx, response, FAR_PAGE_PATTERN.test(query) ? [400, 404] : [400]);
    }
  });
}

/** Behind the last page of any list, a server may know of none. */
const FAR_PAGE_PATTERN = /^page=\d{9}/;

/** The last of the numbers of nine digits, and of 31, 32 and 53 bits: times the limit they are more. */
const LARGEST_INTEGERS = ['999999999', '2147483647', '4294967295', '9007199254740991'];

/** Only what the answers say is recorded: which fields and directions may be named is not shown. */
const UNKNOWN_SORTINGS = [
  'sortBy=noSuchField&sortOrder=desc',
  'sortBy=createdAt&sortOrder=sideways',
  // A name that every object has.
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
    for (const query of UNKNOWN_SORTINGS) {
      const response = await listInvoices(ctx, query);
      ctx.observe('query-unusual', `${query}: ${response.status}`);
      if (!is2xx(response)) expectRejected(ctx, response, [400]);
    }
  }),
];
