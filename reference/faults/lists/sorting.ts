import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { overrideSort, rewritePage } from '../support/lists.ts';
import { isReadOnlyKey } from '../support/other-keys.ts';

type Field = 'dueDate' | 'id' | 'invoiceNumber' | 'currency';

/** Sorts by one field in one direction wrongly. */
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
    defect: sentence,
    caughtBy: [check],
    alsoRun: ['LIST-08.walk', 'REC-11.simultaneous'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        base.sort(
          call,
          invoices,
          query.sortBy === field && query.sortOrder === direction ? { ...query, ...as } : query,
        ),
    })),
  };
}

const by = (field: keyof Invoice) => (left: Invoice, right: Invoice) =>
  String(left[field]) < String(right[field]) ? -1 : Number(String(left[field]) !== String(right[field]));

export const listsSortingFaults: readonly Fault[] = [
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
    'sortBy id sorts by creation time.',
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
    'asc is ignored for invoice numbers.',
  ),
  missorted(
    'currency',
    'desc',
    { sortBy: 'createdAt', sortOrder: 'desc' },
    'LIST-06.currency-desc',
    'The query does not support sortBy currency and falls back to createdAt.',
    'LIST-06',
  ),
  {
    id: 'list-single-skips-newest',
    requirement: 'LIST-06',
    defect: 'With a limit of 1, the page shows the record after the cursor.',
    caughtBy: ['LIST-06.newest-on-small-pages'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        const skips = query.limit === 1 && query.page === 0 && query.sortOrder === 'desc' && invoices.length > 1;
        return skips ? { ...page, items: invoices.slice(1, 2) } : page;
      },
    })),
  },
  {
    id: 'list-production-oldest-first',
    requirement: 'LIST-06',
    defect: 'The production archive is read from its beginning in any order.',
    caughtBy: ['LIST-06.every-key'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => {
        const sorted = base.sort(call, invoices, query);
        return call.key.environment === 'PRODUCTION' ? sorted.toReversed() : sorted;
      },
    })),
  },
  {
    id: 'list-created-at-ascending',
    requirement: 'LIST-06',
    defect: 'sortOrder is compared with DESC in upper case, and desc sorts ascending.',
    caughtBy: ['LIST-06.created-at-desc'],
    rules: overrideSort(
      ({ sortBy }) => sortBy === 'createdAt',
      (invoices) => [...invoices],
    ),
  },
  {
    id: 'list-sorted-within-page',
    requirement: 'LIST-06',
    defect: 'The page is selected first and sorted afterwards.',
    caughtBy: ['LIST-06.created-at-desc'],
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      sort: (_call, invoices) => [...invoices],
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        return { ...page, items: query.limit < 100 ? base.sort(call, page.items, query) : page.items };
      },
    })),
  },
  {
    id: 'list-due-date-without-year',
    requirement: 'LIST-06',
    defect: 'Due dates are sorted by month and day, as in the calendar of the dashboard.',
    caughtBy: ['LIST-06.due-last'],
    rules: overrideSort(
      ({ sortBy }) => sortBy === 'dueDate',
      (invoices) => invoices.toSorted((left, right) => (left.dueDate.slice(5) < right.dueDate.slice(5) ? 1 : -1)),
    ),
  },
  {
    id: 'list-order-needs-page',
    requirement: 'LIST-06',
    defect: 'Without page and limit, the list comes from a cache of the first page, which has its own order.',
    caughtBy: ['LIST-06.without-page-or-limit'],
    alsoRun: ['LIST-04.page-without-limit'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        call.request.query.has('page') || call.request.query.has('limit')
          ? base.sort(call, invoices, query)
          : base.sort(call, invoices, { ...query, sortOrder: 'asc' }),
    })),
  },
  {
    id: 'list-due-date-by-month',
    requirement: 'LIST-06',
    defect: 'Due dates are sorted as day/month/year texts.',
    caughtBy: ['LIST-06.due-date-desc'],
    alsoRun: ['CREATE-11.edge-due-dates'],
    rules: overrideSort(
      ({ sortBy }) => sortBy === 'dueDate',
      (invoices) =>
        invoices.toSorted((left, right) => {
          const [one, other] = [left, right].map(({ dueDate }) => dueDate.split('-').reverse().join('/'));
          return (one ?? '') < (other ?? '') ? 1 : -1;
        }),
    ),
  },
  {
    id: 'list-status-unsorted',
    requirement: 'LIST-06',
    defect: 'sortBy status is accepted and not applied.',
    caughtBy: ['LIST-06.status-desc'],
    alsoRun: ['REC-11.simultaneous', 'LIFE-04.submit', 'LIFE-04.approve', 'LIFE-04.cancel'],
    rules: overrideSort(
      ({ sortBy }) => sortBy === 'status',
      (invoices) => invoices.toSorted(by('id')),
    ),
  },
  {
    id: 'list-amount-as-text',
    requirement: 'LIST-07',
    defect: 'Amounts are sorted as texts: 9.99 after 100.02.',
    caughtBy: ['LIST-07.amount-desc', 'LIST-07.amount-asc'],
    rules: overrideSort(
      ({ sortBy }) => sortBy === 'amount',
      (invoices, _call, { sortOrder }) => {
        const ascending = invoices.toSorted(by('amount'));
        return sortOrder === 'asc' ? ascending : ascending.reverse();
      },
    ),
  },
  {
    id: 'list-asc-ignored',
    requirement: 'LIST-07',
    defect: 'sortOrder asc is accepted and ignored.',
    caughtBy: ['LIST-07.created-at-asc', 'LIST-07.amount-asc'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => base.sort(call, invoices, { ...query, sortOrder: 'desc' }),
    })),
  },
  {
    id: 'list-sort-by-currency-crashes',
    requirement: 'LIST-06',
    defect: 'There is no index for the currency, and the statement times out.',
    caughtBy: ['LIST-06.currency-desc', 'ERR-05.no-internal-error'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => {
        if (query.sortBy === 'currency') throw new TypeError('no index');
        return base.sort(call, invoices, query);
      },
    })),
  },
  {
    id: 'list-sort-by-number-crashes',
    requirement: 'LIST-07',
    defect: 'Invoice numbers are sorted as integers, but have a prefix since last year.',
    caughtBy: ['LIST-07.invoice-number-desc', 'LIST-07.invoice-number-asc', 'ERR-05.no-internal-error'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => {
        if (query.sortBy === 'invoiceNumber') throw new TypeError('NaN');
        return base.sort(call, invoices, query);
      },
    })),
  },
  {
    id: 'list-amount-order-per-page',
    requirement: 'LIST-06',
    defect: 'Later pages of a list by amount are not sorted.',
    caughtBy: ['LIST-06.pages'],
    alsoRun: ['REC-11.simultaneous'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        query.sortBy === 'amount' && query.page > 0 ? [...invoices] : base.sort(call, invoices, query),
    })),
  },
  {
    id: 'list-one-record-unsorted',
    requirement: 'LIST-06',
    defect: 'With a limit of 1, the first record found is sorted and returned.',
    caughtBy: ['LIST-06.pages'],
    alsoRun: ['REC-11.simultaneous'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => (query.limit === 1 ? [...invoices] : base.sort(call, invoices, query)),
    })),
  },
  {
    id: 'list-one-record-newest',
    requirement: 'LIST-06',
    defect: 'With a limit of 1, the cache returns the newest record in any order.',
    caughtBy: ['LIST-06.pages'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        base.sort(call, invoices, query.limit === 1 ? { ...query, sortBy: 'createdAt', sortOrder: 'desc' } : query),
    })),
  },
  {
    id: 'list-buyer-by-creation-only',
    requirement: 'LIST-06',
    defect: 'The received invoices come from a separate view, which is always sorted by createdAt.',
    caughtBy: ['LIST-06.every-key'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        invoices.some(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId)
          ? base.sort(call, invoices, { ...query, sortBy: 'createdAt' })
          : base.sort(call, invoices, query),
    })),
  },
  {
    id: 'list-reader-oldest-first',
    requirement: 'LIST-06',
    defect: 'The index of the read replica has one direction only.',
    caughtBy: ['LIST-06.every-key'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        base.sort(call, invoices, isReadOnlyKey(call.key) ? { ...query, sortOrder: 'asc' } : query),
    })),
  },
  {
    id: 'list-later-pages-reversed',
    requirement: 'LIST-06',
    defect: 'Later pages are fetched backwards from a cursor and not reversed.',
    caughtBy: ['LIST-06.pages'],
    alsoRun: ['REC-11.simultaneous'],
    rules: rewritePage(({ page, items }) => (page > 0 ? { items: [...items].reverse() } : {})),
  },
];
