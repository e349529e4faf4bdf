import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { rewritePage } from '../support/lists.ts';
import { isReadOnlyKey } from '../support/other-keys.ts';
import { changeBody, changeEnvelope, isListResponse } from '../support/response-filters.ts';

export const listsEnvelopeFaults: readonly Fault[] = [
  {
    id: 'list-without-envelope',
    requirement: 'LIST-01',
    defect: 'A list is the bare array of its records.',
    caughtBy: ['LIST-01.items'],
    rewrite: changeBody(isListResponse, ({ items }) => items),
  },
  {
    id: 'list-total-stale-for-readers',
    requirement: 'LIST-02',
    defect: 'The total is cached for each key until that key changes something, which some keys never do.',
    caughtBy: ['LIST-02.counts-for-every-key'],
    rules: overrideRules((base) => {
      const cached = new Map<string, number>();
      return {
        page: (call, invoices, query) => {
          const page = base.page(call, invoices, query);
          if (!isReadOnlyKey(call.key)) return page;
          const total = cached.get(call.key.key) ?? page.total;
          cached.set(call.key.key, total);
          return { ...page, total, totalPages: Math.ceil(total / page.limit) };
        },
      };
    }),
  },
  {
    id: 'list-total-of-later-pages-stale',
    requirement: 'LIST-02',
    defect: 'Later pages come from the first cursor that was opened, with the total of that time.',
    caughtBy: ['LIST-02.counts-creations'],
    rules: overrideRules((base) => {
      const told = new Map<string, number>();
      return {
        page: (call, invoices, query) => {
          const page = base.page(call, invoices, query);
          if (query.page === 0) return page;
          const total = told.get(call.organizationId) ?? page.total;
          told.set(call.organizationId, total);
          return { ...page, total, totalPages: Math.ceil(total / page.limit) };
        },
      };
    }),
  },
  {
    id: 'list-total-without-currency',
    requirement: 'LIST-02',
    defect: 'Sorting by currency joins a table of currencies that contains only the usual ones.',
    caughtBy: ['LIST-02.any-order'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const joined = query.sortBy === 'currency' ? invoices.filter((_, at) => at % 9 !== 4) : invoices;
        return base.page(call, joined, query);
      },
    })),
  },
  {
    id: 'list-items-renamed',
    requirement: 'LIST-01',
    defect: 'The records come in data, not in items.',
    caughtBy: ['LIST-01.items'],
    rewrite: changeEnvelope(({ items }) => ({ data: items, items: undefined })),
  },
  {
    id: 'list-total-as-text',
    requirement: 'LIST-02',
    defect: 'total is a bigint of the database, serialized as a string.',
    caughtBy: ['LIST-02.total'],
    rewrite: changeEnvelope(({ total }) => ({ total: String(total) })),
  },
  {
    id: 'list-total-capped',
    requirement: 'LIST-02',
    defect: 'total is an estimate from the table statistics, which creations do not update.',
    caughtBy: ['LIST-02.counts-creations'],
    rules: rewritePage((page) => {
      const total = Math.ceil(page.total / 50) * 50;
      return { total, totalPages: Math.ceil(total / page.limit) };
    }),
  },
  {
    id: 'list-total-of-page',
    requirement: 'LIST-02',
    defect: 'total is the number of records on the page.',
    caughtBy: ['LIST-02.counts-creations'],
    rules: rewritePage((page) => ({ total: page.items.length, totalPages: Math.ceil(page.items.length / page.limit) })),
  },
  {
    id: 'list-total-stops',
    requirement: 'LIST-02',
    defect: 'total never exceeds 300.',
    caughtBy: ['LIST-02.beyond-total'],
    traffic: 'full',
    rules: rewritePage((page) => {
      const total = Math.min(page.total, 300);
      return { total, totalPages: Math.ceil(total / page.limit) };
    }),
  },
  {
    id: 'list-full-last-page-short',
    requirement: 'LIST-02',
    defect: 'If the last page is full, its last record is taken for the extra record and dropped.',
    caughtBy: ['LIST-02.full-last-page'],
    rules: rewritePage((page) => {
      const last = page.page === page.totalPages - 1 && page.total % page.limit === 0;
      return { items: last ? page.items.slice(0, -1) : page.items };
    }),
  },
  {
    id: 'list-last-page-short',
    requirement: 'LIST-02',
    defect: 'The last page omits its last record, because a bound is exclusive.',
    caughtBy: ['LIST-02.last-page'],
    alsoRun: ['REC-11.simultaneous'],
    rules: rewritePage((page) => {
      const last = page.page === page.totalPages - 1 && page.page > 0;
      return { items: last ? page.items.slice(0, -1) : page.items };
    }),
  },
  {
    id: 'list-total-counts-deleted',
    requirement: 'LIST-02',
    defect: 'total counts rows that the page omits.',
    caughtBy: ['LIST-02.last-page'],
    rules: rewritePage((page) => {
      const total = page.total + 3;
      return { total, totalPages: Math.ceil(total / page.limit) };
    }),
  },
  {
    id: 'list-pages-plus-one',
    requirement: 'LIST-03',
    defect: 'totalPages is total / limit + 1, rounded down: one page too many for exact multiples.',
    caughtBy: ['LIST-03.exact-multiple', 'LIST-03.total-pages'],
    rewrite: changeEnvelope(({ total, limit }) => ({ totalPages: Math.floor(Number(total) / Number(limit)) + 1 })),
  },
  {
    id: 'list-pages-rounded-down',
    requirement: 'LIST-03',
    defect: 'totalPages is rounded down, so a partly filled page does not count.',
    caughtBy: ['LIST-03.remainder', 'LIST-03.total-pages'],
    rewrite: changeEnvelope(({ total, limit }) => ({ totalPages: Math.floor(Number(total) / Number(limit)) })),
  },
  {
    id: 'list-pages-for-default-limit',
    requirement: 'LIST-03',
    defect: 'totalPages is computed with the default limit instead of the requested limit.',
    caughtBy: ['LIST-03.total-pages'],
    rewrite: changeEnvelope(({ total }) => ({ totalPages: Math.ceil(Number(total) / 20) })),
  },
  {
    id: 'list-total-ascending-one-less',
    requirement: 'LIST-02',
    defect: 'An ascending list omits its first record, because the cursor is exclusive at both ends.',
    caughtBy: ['LIST-02.any-order'],
    rewrite: changeEnvelope(({ total }, query) => ({
      total: query.get('sortOrder') === 'asc' ? Math.max(0, Number(total) - 1) : total,
    })),
  },
  {
    id: 'list-total-of-sorted-one-more',
    requirement: 'LIST-02',
    defect: 'Sorting by amount joins the lines, and total counts an invoice of two lines twice.',
    caughtBy: ['LIST-02.any-order'],
    rewrite: changeEnvelope(({ total }, query) => ({
      total: query.get('sortBy') === 'amount' ? Number(total) + 1 : total,
    })),
  },
  {
    id: 'list-reader-total-of-page',
    requirement: 'LIST-02',
    defect: 'For read-only keys, total is the number of records on the page.',
    caughtBy: ['LIST-02.every-key', 'LIST-03.total-pages'],
    rules: rewritePage((page, { key }) => (isReadOnlyKey(key) ? { total: page.items.length } : {})),
  },
  {
    id: 'list-reader-total-of-later-page',
    requirement: 'LIST-02',
    defect:
      'For read-only keys, total is correct on the first page only; on later pages it is their number of records.',
    caughtBy: ['LIST-02.every-key', 'LIST-03.total-pages'],
    traffic: 'full',
    rules: rewritePage((page, { key }) => (isReadOnlyKey(key) && page.page > 0 ? { total: page.items.length } : {})),
  },
  {
    id: 'list-reader-total-by-order',
    requirement: 'LIST-02',
    defect: 'If a read-only key sorts by amount, total counts the index, which contains one hidden entry.',
    caughtBy: ['LIST-02.every-key', 'LIST-03.total-pages'],
    rules: rewritePage((page, { key, request }) =>
      isReadOnlyKey(key) && request.query.get('sortBy') === 'amount' ? { total: page.total + 1 } : {},
    ),
  },
];
