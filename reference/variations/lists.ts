import { createHash } from 'node:crypto';
import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import { RECORD_FIELDS } from '../rules/validation/validate-query.ts';
import { RejectionError, rejections } from '../service/rejection.ts';
import type { Invoice } from '../service/store.ts';

/** Integers out of range are moved into it, and the envelope shows the applied value. */
function clamped(limits: (asked: number) => number, pages: (asked: number) => number) {
  return overrideRules((base) => ({
    validateQuery: (call) => {
      const query = new URLSearchParams(call.request.query);
      for (const [name, clamp] of [
        ['limit', limits],
        ['page', pages],
      ] as const) {
        const given = query.get(name);
        if (given !== null && /^-?\d+$/.test(given)) query.set(name, String(clamp(Number(given))));
      }
      return base.validateQuery({ ...call, request: { ...call.request, query } });
    },
  }));
}

const pastEnd = (refusal: () => Error) =>
  overrideRules((base) => ({
    page: (call, invoices, query) => {
      const page = base.page(call, invoices, query);
      if (page.page > 0 && page.page >= page.totalPages) throw refusal();
      return page;
    },
  }));

const refusingSort = (wrong: (asked: URLSearchParams) => boolean) =>
  overrideRules((base) => ({
    validateQuery: (call) => {
      const query = base.validateQuery(call);
      if (wrong(call.request.query)) throw rejections.invalidRequest('sorting like this is not offered');
      return query;
    },
  }));

const isRecordField = (name: string | null) => RECORD_FIELDS.some((field) => field === name);

/** The parameters that the contract names. */
const DECLARED_PARAMETERS = ['page', 'limit', 'sortBy', 'sortOrder'];

export const listVariations: readonly Variation[] = [
  {
    id: 'other-parameters-rejected',
    openPoint: 'OP-26',
    choice: '400',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const other = [...call.request.query.keys()].find((name) => !DECLARED_PARAMETERS.includes(name));
        if (other !== undefined) throw rejections.invalidRequest(`${other}: unknown parameter`);
        return base.validateQuery(call);
      },
    })),
  },
  {
    id: 'offset-as-extension',
    openPoint: 'OP-26',
    choice: 'offset and size are read, and the envelope names the resulting page',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const valid = base.validateQuery(call);
        const [offset, size] = ['offset', 'size'].map((name) => Number(call.request.query.get(name) ?? 0));
        const limit = Math.min(size || valid.limit, 100);
        return { ...valid, limit, page: offset ? Math.floor(offset / limit) : valid.page };
      },
    })),
  },
  {
    id: 'limit-clamped',
    openPoint: 'OP-18',
    choice: 'moved into range: 100, 1 and 0',
    rules: clamped(
      (asked) => Math.min(Math.max(asked, 1), 100),
      (asked) => Math.max(asked, 0),
    ),
  },
  {
    id: 'limit-defaulted',
    openPoint: 'OP-18',
    choice: 'the default size',
    rules: clamped(
      (asked) => (asked < 1 || asked > 100 ? 25 : asked),
      (asked) => Math.max(asked, 0),
    ),
  },
  {
    id: 'limit-zero-counts',
    openPoint: 'OP-18',
    choice: 'for limit 0, no records but the counts',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const query = new URLSearchParams(call.request.query);
        if (query.get('limit') !== '0') return base.validateQuery(call);
        query.set('limit', '1');
        return { ...base.validateQuery({ ...call, request: { ...call.request, query } }), limit: 0 };
      },
      page: (call, invoices, query) =>
        query.limit === 0
          ? { items: [], total: invoices.length, totalPages: 0, page: query.page, limit: 0 }
          : base.page(call, invoices, query),
    })),
  },
  {
    id: 'default-limit-50',
    openPoint: 'OP-17',
    choice: '50',
    rules: overrideRules((base) => ({
      validateQuery: (call) => ({
        ...base.validateQuery(call),
        ...(call.request.query.has('limit') ? {} : { limit: 50 }),
      }),
    })),
  },
  {
    id: 'default-order-oldest',
    openPoint: 'OP-21',
    choice: 'oldest first',
    rules: overrideRules((base) => ({
      validateQuery: (call) => ({
        ...base.validateQuery(call),
        ...(call.request.query.has('sortBy') ? {} : { sortOrder: 'asc' as const }),
      }),
    })),
  },
  {
    id: 'past-end-400',
    openPoint: 'OP-19',
    choice: '400',
    rules: pastEnd(() => rejections.invalidRequest('page: past the end')),
  },
  {
    id: 'past-end-404',
    openPoint: 'OP-19',
    choice: '404',
    rules: pastEnd(() => new RejectionError(404, 'REQ004', 'No such page')),
  },
  {
    id: 'past-end-last',
    openPoint: 'OP-19',
    choice: 'the last page, as the envelope shows',
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const last = Math.max(0, Math.ceil(invoices.length / query.limit) - 1);
        return base.page(call, invoices, { ...query, page: Math.min(query.page, last) });
      },
    })),
  },
  {
    id: 'empty-is-one-page',
    openPoint: 'OP-20',
    choice: 'one',
    rules: overrideRules((base) => {
      const begun = new Date().toISOString();
      return {
        // Production is empty when the server starts.
        visibleInvoices: (call) =>
          base.visibleInvoices(call).filter(({ createdAt }) => call.environment !== 'PRODUCTION' || createdAt >= begun),
        page: (call, invoices, query) => {
          const page = base.page(call, invoices, query);
          return { ...page, totalPages: Math.max(1, page.totalPages) };
        },
      };
    }),
  },
  {
    id: 'sort-created-at-only',
    openPoint: 'OP-22',
    choice: 'createdAt desc only, 400 for the rest',
    rules: refusingSort(
      (asked) => (asked.get('sortBy') ?? 'createdAt') !== 'createdAt' || (asked.get('sortOrder') ?? 'desc') !== 'desc',
    ),
  },
  {
    id: 'sort-unknown-ignored',
    openPoint: 'OP-22',
    choice: 'an unknown name is ignored',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const query = new URLSearchParams(call.request.query);
        if (!isRecordField(query.get('sortBy'))) query.delete('sortBy');
        return base.validateQuery({ ...call, request: { ...call.request, query } });
      },
    })),
  },
  {
    id: 'ties-by-id',
    openPoint: 'OP-25',
    choice: 'by id',
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) =>
        base.sort(
          call,
          invoices.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
          query,
        ),
    })),
  },
  {
    id: 'ties-by-limit',
    openPoint: 'OP-25',
    choice: 'by a part of the id that depends on the page size, with createdAt in whole seconds',
    rules: overrideRules((base) => ({
      now: () => new Date(Math.floor(Date.now() / 1000) * 1000),
      sort: (call, invoices, query) => {
        const part = ({ id }: Invoice) => `${id.slice(query.limit % 8)}${id}`;
        return base.sort(
          call,
          invoices.toSorted((left, right) => (part(left) < part(right) ? -1 : 1)),
          query,
        );
      },
    })),
  },
  {
    id: 'conditional-requests',
    openPoint: 'OP-120',
    choice: 'yes: an ETag of the body, and 304 if the caller has the same body',
    rewrite: async (request, response) => {
      if (request.method !== 'GET' || response.status !== 200) return response;
      const tag = `"${createHash('sha256')
        .update(await response.clone().text())
        .digest('hex')}"`;
      const headers = new Headers(response.headers);
      headers.set('ETag', tag);
      const isSame = request.headers.get('If-None-Match') === tag;
      return new Response(isSame ? null : response.body, { status: isSame ? 304 : 200, headers });
    },
  },
  {
    id: 'sort-asc-rejected',
    openPoint: 'OP-23',
    choice: 'no, 400',
    rules: refusingSort((asked) => asked.get('sortOrder') === 'asc'),
  },
  {
    id: 'sort-status-by-lifecycle',
    openPoint: 'OP-24',
    choice: 'by lifecycle',
    rules: overrideRules((base) => {
      const order = ['DRAFT', 'SUBMITTED', 'DISPUTED', 'APPROVED', 'SETTLED', 'CANCELLED'];
      return {
        sort: (call, invoices, query) =>
          query.sortBy === 'status'
            ? invoices.toSorted(
                (left, right) =>
                  (order.indexOf(right.status) - order.indexOf(left.status)) * (query.sortOrder === 'asc' ? -1 : 1),
              )
            : base.sort(call, invoices, query),
      };
    }),
  },
  {
    id: 'unknown-query-rejected',
    openPoint: 'OP-26',
    choice: '400',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const known = ['page', 'limit', 'sortBy', 'sortOrder'];
        const other = [...call.request.query.keys()].find((name) => !known.includes(name));
        if (other) throw rejections.invalidRequest(`${other}: unknown`);
        return base.validateQuery(call);
      },
    })),
  },
  {
    id: 'filters-offered',
    openPoint: 'OP-26',
    choice: 'filters, a search, page sizes and related records, within the own invoices and at most 100',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const query = base.validateQuery(call);
        const size = Number(call.request.query.get('pageSize') ?? query.limit);
        return { ...query, limit: Math.min(Math.max(size, 1), 100) || query.limit };
      },
      visibleInvoices: (call) => {
        const { query } = call.request;
        const own = base.visibleInvoices(call);
        const filters: [string, (invoice: Invoice, value: string) => boolean][] = [
          ['id', ({ id }, value) => id === value],
          ['ids', ({ id }, value) => value.split(',').includes(id)],
          ['status', ({ status }, value) => status === value],
          ['q', ({ invoiceNumber }, value) => invoiceNumber.includes(value)],
          ['sellerId', ({ sellerOrganizationId }, value) => sellerOrganizationId === value],
          ['buyerId', ({ buyerOrganizationId }, value) => buyerOrganizationId === value],
        ];
        return filters.reduce((left, [name, fits]) => {
          const value = query.get(name);
          return value ? left.filter((invoice) => fits(invoice, value)) : left;
        }, own);
      },
      renderList: (call, page) => {
        const response = base.renderList(call, page);
        if (!call.request.query.get('expand')?.includes('seller')) return response;
        const { items, ...envelope } = response.body as { items: Record<string, unknown>[] };
        const expanded = items.map((item) => ({ ...item, sellerOrganizationId: { id: item.sellerOrganizationId } }));
        return { ...response, body: { ...envelope, items: expanded } };
      },
    })),
  },
  {
    id: 'envelope-with-links',
    openPoint: 'OP-27',
    choice: 'links and hasNext',
    rules: overrideRules((base) => ({
      renderList: (call, page) => {
        const response = base.renderList(call, page);
        const links = { next: page.page + 1 < page.totalPages ? `?page=${page.page + 1}` : null };
        return { ...response, body: { ...(response.body as object), links, hasNext: links.next !== null } };
      },
    })),
  },
  {
    id: 'shown-with-other-statuses',
    openPoint: 'OP-119',
    choice: '206 for a page of several, 203 for a response that a gateway has changed',
    rules: overrideRules((base) => ({
      renderList: (call, page) => ({ ...base.renderList(call, page), status: page.totalPages > 1 ? 206 : 203 }),
      renderRead: (call, invoice) => ({ ...base.renderRead(call, invoice), status: 203 }),
    })),
  },
  {
    id: 'drafts-hidden-from-buyer',
    openPoint: 'OP-28',
    choice: 'no: neither listed nor found',
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base
          .visibleInvoices(call)
          .filter(({ status, buyerOrganizationId: buyer }) => status !== 'DRAFT' || buyer !== call.organizationId),
      findInvoice: (call, id) => {
        const invoice = base.findInvoice(call, id);
        if (invoice.status === 'DRAFT' && invoice.buyerOrganizationId === call.organizationId) {
          throw rejections.invoiceNotFound();
        }
        return invoice;
      },
    })),
  },
];
