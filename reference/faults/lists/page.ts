import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { ListQuery } from '../../service/inputs.ts';
import type { Fault } from '../fault.ts';
import { createQueryError, failOnQuery, queryParameter, rewritePage } from '../support/lists.ts';
import { changeEnvelope } from '../support/response-filters.ts';

/** Serves a page other than the envelope says. */
function serving(pageOf: (query: ListQuery, count: number) => number): RuleChange {
  return overrideRules((base) => ({
    page: (call, invoices, query) => ({
      ...base.page(call, invoices, { ...query, page: pageOf(query, invoices.length) }),
      page: query.page,
    }),
  }));
}

export const listsPageFaults: readonly Fault[] = [
  {
    id: 'list-page-needs-limit',
    requirement: 'LIST-04',
    defect: 'The offset is computed only with a limit: without one, every page is the first.',
    caughtBy: ['LIST-04.page-without-limit'],
    alsoRun: ['REC-11.simultaneous'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) =>
        call.request.query.has('limit')
          ? base.page(call, invoices, query)
          : { ...base.page(call, invoices, { ...query, page: 0 }), page: query.page },
    })),
  },
  {
    id: 'list-page-shown-from-one-by-default',
    requirement: 'LIST-04',
    defect: 'Without a page, the envelope shows page 1, as the form of the dashboard does.',
    caughtBy: ['LIST-04.page-left-out'],
    rules: rewritePage((_, call) => (queryParameter(call, 'page') === null ? { page: 1 } : {})),
  },
  {
    id: 'list-page-past-the-end-one-more',
    requirement: 'LIST-04',
    defect: 'After the last page, the page index is incremented once too often.',
    caughtBy: ['LIST-04.page'],
    alsoRun: ['LIST-04.past-the-end'],
    rules: rewritePage((page) => ({ page: page.page >= page.totalPages ? page.page + 1 : page.page })),
  },
  {
    id: 'list-ascending-page-ignored',
    requirement: 'LIST-04',
    defect: 'Ascending lists come from another query, which has no offset.',
    caughtBy: ['LIST-04.ascending'],
    alsoRun: ['REC-11.simultaneous'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const first = query.sortOrder === 'asc' ? { ...query, page: 0 } : query;
        return { ...base.page(call, invoices, first), page: query.page };
      },
    })),
  },
  {
    id: 'list-page-one-based-shown',
    requirement: 'LIST-04',
    defect: 'The envelope counts pages from one.',
    caughtBy: ['LIST-04.page'],
    rewrite: changeEnvelope(({ page }) => ({ page: Number(page) + 1 })),
  },
  {
    id: 'list-page-one-based',
    requirement: 'LIST-04',
    defect: 'Pages count from one: page 0 returns the second page.',
    caughtBy: ['LIST-04.first-is-zero'],
    rules: serving(({ page }) => page + 1),
  },
  {
    id: 'list-page-zero-and-one-equal',
    requirement: 'LIST-04',
    defect: 'Page 0 and page 1 are the same: the offset is limit × max(page - 1, 0).',
    caughtBy: ['LIST-04.second-is-one'],
    rules: serving(({ page }) => Math.max(page - 1, 0)),
  },
  {
    id: 'list-past-the-end-wraps',
    requirement: 'LIST-04',
    defect: 'A page past the end returns the first page again.',
    caughtBy: ['LIST-04.past-the-end'],
    rules: serving(({ page, limit }, count) => (page * limit >= count ? 0 : page)),
  },
  {
    id: 'list-past-the-end-says-first',
    requirement: 'LIST-04',
    defect: 'Past the end, page falls back to 0 without any records.',
    caughtBy: ['LIST-04.past-the-end'],
    rules: rewritePage(({ items, page }) => ({ page: items.length === 0 ? 0 : page })),
  },
  {
    id: 'list-page-ignored-for-buyers',
    requirement: 'LIST-04',
    defect: "The buyer's view of the list has no offset: every page is the first.",
    caughtBy: ['LIST-04.every-key'],
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const buys = invoices.some(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId);
        return buys
          ? { ...base.page(call, invoices, { ...query, page: 0 }), page: query.page }
          : base.page(call, invoices, query);
      },
    })),
  },
  {
    id: 'list-past-the-end-counts-none',
    requirement: 'LIST-02',
    defect: 'The total is counted over the rows of the page: past the end it is 0.',
    caughtBy: ['LIST-02.beyond-total'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        return page.items.length === 0 ? { ...page, total: 0, totalPages: 0 } : page;
      },
    })),
  },
  {
    id: 'list-far-page-crashes',
    requirement: 'LIST-04',
    defect: 'The offset of a page far past the end overflows the query: 500.',
    caughtBy: ['LIST-04.past-the-end', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => Number(value) > 100_000, createQueryError),
  },
];
