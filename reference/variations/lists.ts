import type { ListQuery } from '../inputs.ts';
import { Refusal, refusals } from '../refusal.ts';
import { replaced } from './replaced.ts';
import type { Variation } from './variation.ts';

/** Integers out of range are brought into it, and the envelope tells what was applied. */
function clamped(limits: (asked: number) => number, pages: (asked: number) => number) {
  return replaced((honest) => ({
    validateQuery: (call) => {
      const query = new URLSearchParams(call.request.query);
      for (const [name, clamp] of [
        ['limit', limits],
        ['page', pages],
      ] as const) {
        const given = query.get(name);
        if (given !== null && /^-?\d+$/.test(given)) query.set(name, String(clamp(Number(given))));
      }
      return honest.validateQuery({ ...call, request: { ...call.request, query } });
    },
  }));
}

const pastEnd = (refusal: () => Error) =>
  replaced((honest) => ({
    page: (call, invoices, query) => {
      const page = honest.page(call, invoices, query);
      if (page.page > 0 && page.page >= page.totalPages) throw refusal();
      return page;
    },
  }));

const refusingSort = (wrong: (query: ListQuery, asked: URLSearchParams) => boolean) =>
  replaced((honest) => ({
    validateQuery: (call) => {
      const query = honest.validateQuery(call);
      if (wrong(query, call.request.query)) throw refusals.invalidRequest('sorting like this is not offered');
      return query;
    },
  }));

export const listVariations: readonly Variation[] = [
  {
    id: 'limit-clamped',
    openPoint: 'A limit or page out of range may be brought into it: 100, 1 and 0.',
    rules: clamped(
      (asked) => Math.min(Math.max(asked, 1), 100),
      (asked) => Math.max(asked, 0),
    ),
  },
  {
    id: 'limit-defaulted',
    openPoint: 'A limit out of range may fall back to the default size.',
    rules: clamped(
      (asked) => (asked < 1 || asked > 100 ? 25 : asked),
      (asked) => Math.max(asked, 0),
    ),
  },
  {
    id: 'default-limit-50',
    openPoint: 'The default page size is not shown: 50.',
    rules: replaced((honest) => ({
      validateQuery: (call) => ({
        ...honest.validateQuery(call),
        ...(call.request.query.has('limit') ? {} : { limit: 50 }),
      }),
    })),
  },
  {
    id: 'default-order-oldest',
    openPoint: 'The default order is not shown: oldest first.',
    rules: replaced((honest) => ({
      validateQuery: (call) => ({
        ...honest.validateQuery(call),
        ...(call.request.query.has('sortBy') ? {} : { sortOrder: 'asc' as const }),
      }),
    })),
  },
  {
    id: 'past-end-400',
    openPoint: 'A page past the end is not shown: refused with 400.',
    rules: pastEnd(() => refusals.invalidRequest('page: past the end')),
  },
  {
    id: 'past-end-404',
    openPoint: 'A page past the end is not shown: refused with 404.',
    rules: pastEnd(() => new Refusal(404, 'REQ004', 'No such page')),
  },
  {
    id: 'past-end-last',
    openPoint: 'A page past the end is not shown: the last one is served, and the envelope says so.',
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const last = Math.max(0, Math.ceil(invoices.length / query.limit) - 1);
        return honest.page(call, invoices, { ...query, page: Math.min(query.page, last) });
      },
    })),
  },
  {
    id: 'empty-is-one-page',
    openPoint: 'Whether nothing makes no page or one empty page is not shown: one.',
    rules: replaced((honest) => ({
      visible: (call) => (call.environment === 'PRODUCTION' ? [] : honest.visible(call)),
      page: (call, invoices, query) => {
        const page = honest.page(call, invoices, query);
        return { ...page, totalPages: Math.max(1, page.totalPages) };
      },
    })),
  },
  {
    id: 'sort-created-at-only',
    openPoint: 'createdAt desc is the form shown: other fields and asc are refused with 400.',
    rules: refusingSort(({ sortBy, sortOrder }) => sortBy !== 'createdAt' || sortOrder !== 'desc'),
  },
  {
    id: 'sort-asc-refused',
    openPoint: 'sortOrder asc is not shown: refused with 400.',
    rules: refusingSort(({ sortOrder }) => sortOrder === 'asc'),
  },
  {
    id: 'sort-status-by-lifecycle',
    openPoint: 'The order of statuses is not shown: by lifecycle.',
    rules: replaced((honest) => {
      const order = ['DRAFT', 'SUBMITTED', 'DISPUTED', 'APPROVED', 'SETTLED', 'CANCELLED'];
      return {
        sort: (call, invoices, query) =>
          query.sortBy === 'status'
            ? invoices.toSorted((left, right) => order.indexOf(right.status) - order.indexOf(left.status))
            : honest.sort(call, invoices, query),
      };
    }),
  },
  {
    id: 'unknown-query-refused',
    openPoint: 'Treatment of other query parameters is not shown: 400.',
    rules: replaced((honest) => ({
      validateQuery: (call) => {
        const known = ['page', 'limit', 'sortBy', 'sortOrder'];
        const other = [...call.request.query.keys()].find((name) => !known.includes(name));
        if (other) throw refusals.invalidRequest(`${other}: unknown`);
        return honest.validateQuery(call);
      },
    })),
  },
  {
    id: 'envelope-with-links',
    openPoint: 'Members beside those of the envelope are not forbidden: links and hasNext.',
    rules: replaced((honest) => ({
      renderList: (call, page) => {
        const answer = honest.renderList(call, page);
        const links = { next: page.page + 1 < page.totalPages ? `?page=${page.page + 1}` : null };
        return { ...answer, body: { ...(answer.body as object), links, hasNext: links.next !== null } };
      },
    })),
  },
  {
    id: 'drafts-hidden-from-buyer',
    openPoint: 'Whether the buyer sees drafts is not shown: neither in its list nor by id.',
    rules: replaced((honest) => ({
      visible: (call) =>
        honest
          .visible(call)
          .filter(({ status, buyerOrganizationId: buyer }) => status !== 'DRAFT' || buyer !== call.organizationId),
      findInvoice: (call, id) => {
        const invoice = honest.findInvoice(call, id);
        if (invoice.status === 'DRAFT' && invoice.buyerOrganizationId === call.organizationId) {
          throw refusals.invoiceNotFound();
        }
        return invoice;
      },
    })),
  },
];
