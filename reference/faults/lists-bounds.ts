import type { CheckId } from '../../specs/generated/ids.ts';
import { replaced } from '../overrides/override-rules.ts';
import type { Invoice } from '../service/store.ts';
import type { Fault } from './fault.ts';

/** Queries that one server or another puts into its statement as they are. */
const unparsed: readonly [word: string, query: RegExp, sentence: string][] = [
  ['limit-empty', /limit=(&|$)/, 'An empty limit becomes NaN, which the database refuses: 500.'],
  ['limit-repeated', /limit=5&limit=7/, 'A limit given twice is an array, which the database refuses: 500.'],
  ['limit-huge', /limit=9{20}/, 'A limit beyond all integers overflows: 500.'],
  ['limit-fraction', /limit=2\.5/, 'A limit with a fraction goes into the statement, which refuses it: 500.'],
  ['page-fraction', /page=1\.5/, 'A page with a fraction makes an offset with one, which the database refuses: 500.'],
  ['page-infinite', /page=Infinity/, 'An infinite page makes an offset that the database refuses: 500.'],
  ['page-huge', /page=9{20}/, 'A page beyond all integers overflows in the offset: 500.'],
  ['sorting', /sortBy=noSuchField/, 'The field to sort by goes into the statement as it is: 500.'],
];

const breaking = unparsed.map(
  ([word, query, sentence]): Fault => ({
    id: `list-${word}-breaks`,
    requirement: 'LIST-11',
    sentence,
    caughtBy: [`LIST-11.${word}` as CheckId, 'ERR-05.no-internal-error'],
    rules: replaced((honest) => ({
      validateQuery: (call) => {
        if (query.test(call.request.query.toString())) throw new Error('invalid input syntax for type integer');
        return honest.validateQuery(call);
      },
    })),
  }),
);

type Field = 'dueDate' | 'id' | 'invoiceNumber' | 'currency';

/** Sorting by one field, in one direction, sorts otherwise. */
function missorted(
  field: Field,
  direction: 'asc' | 'desc',
  as: { sortBy: keyof Invoice & ('createdAt' | 'id' | Field); sortOrder: 'asc' | 'desc' },
  check: CheckId,
  sentence: string,
  requirement = 'LIST-07',
): Fault {
  return {
    id: `list-sort-${field.toLowerCase()}-${direction}`,
    requirement,
    sentence,
    caughtBy: [check],
    alongside: ['LIST-08.walk', 'REC-11.simultaneous'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) =>
        honest.sort(
          call,
          invoices,
          query.sortBy === field && query.sortOrder === direction ? { ...query, ...as } : query,
        ),
    })),
  };
}

/** Lets some limits through as the numbers that they are. */
const letting = (id: string, check: CheckId, limits: RegExp, sentence: string): Fault => ({
  id,
  requirement: 'LIST-05',
  sentence,
  caughtBy: [check],
  alongside: ['LIST-05.limit'],
  rules: replaced((honest) => ({
    validateQuery: (call) => {
      const { query } = call.request;
      const limit = query.get('limit') ?? '';
      if (!limits.test(limit)) return honest.validateQuery(call);
      const others = new URLSearchParams([...query].filter(([name]) => name !== 'limit'));
      const request = { ...call.request, query: others };
      return { ...honest.validateQuery({ ...call, request }), limit: Number(limit) };
    },
  })),
});

export const listBoundFaults: readonly Fault[] = [
  letting(
    'list-limit-of-exports',
    'LIST-05.round-numbers-above-maximum',
    /^(500|1000)$/,
    'For exports limits of 500 and 1000 are let through.',
  ),
  letting(
    'list-limit-in-exponents',
    'LIST-05.number-forms',
    /^\d+e\d+$/,
    'Only digits are compared with the maximum: 1e3 is not.',
  ),
  ...breaking,
  missorted(
    'dueDate',
    'asc',
    { sortBy: 'dueDate', sortOrder: 'desc' },
    'LIST-07.due-date-asc',
    'asc is ignored for dates.',
  ),
  missorted(
    'id',
    'desc',
    { sortBy: 'createdAt', sortOrder: 'desc' },
    'LIST-07.id-desc',
    'sortBy id sorts by the time of creation.',
  ),
  missorted(
    'invoiceNumber',
    'desc',
    { sortBy: 'id', sortOrder: 'desc' },
    'LIST-07.invoice-number-desc',
    'sortBy invoiceNumber sorts by the id.',
  ),
  missorted(
    'invoiceNumber',
    'asc',
    { sortBy: 'invoiceNumber', sortOrder: 'desc' },
    'LIST-07.invoice-number-asc',
    'asc is ignored for numbers of invoices.',
  ),
  missorted(
    'currency',
    'desc',
    { sortBy: 'createdAt', sortOrder: 'desc' },
    'LIST-06.currency-desc',
    'sortBy currency is not known to the query, which falls back to createdAt.',
    'LIST-06',
  ),
  {
    id: 'list-page-needs-limit',
    requirement: 'LIST-04',
    sentence: 'The offset is counted only where a limit is given: without one every page is the first.',
    caughtBy: ['LIST-04.page-without-limit'],
    alongside: ['REC-11.simultaneous'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) =>
        call.request.query.has('limit')
          ? honest.page(call, invoices, query)
          : { ...honest.page(call, invoices, { ...query, page: 0 }), page: query.page },
    })),
  },
  {
    id: 'list-limit-needs-page',
    requirement: 'LIST-05',
    sentence: 'The limit is looked at only where a page is asked for.',
    caughtBy: ['LIST-05.limit-without-page'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) =>
        call.request.query.has('page')
          ? honest.page(call, invoices, query)
          : { ...honest.page(call, invoices, { ...query, limit: 20 }), limit: query.limit },
    })),
  },
];
