import { replaced } from '../overrides/override-rules.ts';
import { isParty } from '../rules/access/visible-invoices.ts';
import type { Call } from '../service/call.ts';
import type { Fault } from './fault.ts';
import { paged } from './support/rewrite-page.ts';

const mayOnlyRead = ({ key }: Call) => !key.scopes.includes('write');
const asksFor = ({ request }: Call, name: string) => request.query.get(name);

/** Lists that are wrong for one way of asking, and right for the one that everybody uses. */
export const listsToldFaults: readonly Fault[] = [
  {
    id: 'list-total-stale-for-readers',
    requirement: 'LIST-02',
    sentence: 'The total is cached for each key until that key changes something, and some keys never do.',
    caughtBy: ['LIST-02.counts-for-every-key'],
    rules: replaced((honest) => {
      const cached = new Map<string, number>();
      return {
        page: (call, invoices, query) => {
          const page = honest.page(call, invoices, query);
          if (!mayOnlyRead(call)) return page;
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
    sentence: 'Later pages are served from the cursor that was opened first, with the total of that moment.',
    caughtBy: ['LIST-02.counts-creations'],
    rules: replaced((honest) => {
      const told = new Map<string, number>();
      return {
        page: (call, invoices, query) => {
          const page = honest.page(call, invoices, query);
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
    sentence: 'Sorting by currency joins a table of currencies, which lacks all but the usual ones.',
    caughtBy: ['LIST-02.any-order'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const joined = query.sortBy === 'currency' ? invoices.filter((_, at) => at % 9 !== 4) : invoices;
        return honest.page(call, joined, query);
      },
    })),
  },
  {
    id: 'list-page-told-from-one-by-default',
    requirement: 'LIST-04',
    sentence: 'Where no page is asked for, the envelope tells page 1, as the form of the dashboard does.',
    caughtBy: ['LIST-04.page-left-out'],
    rules: paged((_, call) => (asksFor(call, 'page') === null ? { page: 1 } : {})),
  },
  {
    id: 'list-default-shorter-than-told',
    requirement: 'LIST-05',
    sentence: 'Where no limit is asked for, ten fewer are fetched than the envelope tells.',
    caughtBy: ['LIST-05.default'],
    rules: paged(({ items, limit }, call) =>
      asksFor(call, 'limit') === null ? { items: items.slice(0, limit - 10) } : {},
    ),
  },
  {
    id: 'list-ascending-page-short',
    requirement: 'LIST-05',
    sentence: 'In ascending order a later page begins behind the moment of its own first record.',
    caughtBy: ['LIST-05.applied'],
    rules: paged(({ items, page }, call) =>
      asksFor(call, 'sortOrder') === 'asc' && page > 0 ? { items: items.slice(1) } : {},
    ),
  },
  {
    id: 'list-second-limit-unbounded',
    requirement: 'LIST-05',
    sentence: 'Of a limit that is given twice the last is checked, and the first applied.',
    caughtBy: ['LIST-05.limit'],
    alongside: ['LIST-11.limit-repeated'],
    wholeRun: true,
    rules: replaced((honest) => ({
      validateQuery: (call) => {
        const query = honest.validateQuery(call);
        const limits = call.request.query.getAll('limit');
        return limits.length > 1 ? { ...query, limit: Number(limits[0]) } : query;
      },
    })),
  },
  {
    id: 'list-single-skips-newest',
    requirement: 'LIST-06',
    sentence: 'A page of one is answered from the row behind the cursor.',
    caughtBy: ['LIST-06.newest-on-small-pages'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const page = honest.page(call, invoices, query);
        const skips = query.limit === 1 && query.page === 0 && query.sortOrder === 'desc' && invoices.length > 1;
        return skips ? { ...page, items: invoices.slice(1, 2) } : page;
      },
    })),
  },
  {
    id: 'list-production-oldest-first',
    requirement: 'LIST-06',
    sentence: 'The archive behind production is read from its beginning, whatever order is asked for.',
    caughtBy: ['LIST-06.every-key'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => {
        const sorted = honest.sort(call, invoices, query);
        return call.key.environment === 'PRODUCTION' ? sorted.toReversed() : sorted;
      },
    })),
  },
  {
    id: 'list-scoped-by-header',
    requirement: 'LIST-09',
    sentence: 'The organization that a dashboard session names in a header is believed of keys, too.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: replaced((honest) => ({
      visible: (call) => {
        const named = call.request.headers.get('X-Organization-Id');
        const others = [...call.world.invoices.values()].filter((invoice) => named !== null && isParty(invoice, named));
        return others.length > 0 ? others : honest.visible(call);
      },
    })),
  },
];
