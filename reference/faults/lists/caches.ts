import { createHash } from 'node:crypto';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { ListQuery } from '../../service/inputs.ts';
import type { Invoice, ServiceResponse } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

const CACHED_MS = 1_000;

/** Sorted lists are cached for a second under this key. */
const cachedFor = (keyOf: (call: Call, query: ListQuery) => string): RuleChange =>
  overrideRules((base) => {
    const kept = new Map<string, { invoices: Invoice[]; until: number }>();
    return {
      sort: (call, invoices, query) => {
        const key = `${call.environment} ${keyOf(call, query)}`;
        const known = kept.get(key);
        if (known && performance.now() < known.until) return known.invoices;
        const sorted = base.sort(call, invoices, query);
        kept.set(key, { invoices: sorted, until: performance.now() + CACHED_MS });
        return sorted;
      },
    };
  });

/** Adds an ETag, and returns 304 if the request has the same one. */
function tagged(call: Call, response: ServiceResponse, tag: string): ServiceResponse {
  const quoted = `"${tag}"`;
  if (call.request.headers.get('If-None-Match') === quoted) return { status: 304, headers: { ETag: quoted } };
  return { ...response, headers: { ...response.headers, ETag: quoted } };
}

const isRare = ({ limit }: ListQuery) => limit > 80 && limit < 90;

export const listsCachesFaults: readonly Fault[] = [
  {
    id: 'list-total-cached-until-creation',
    requirement: 'LIST-02',
    defect: 'The total is cached for each organization, and only a creation renews it.',
    caughtBy: ['LIST-02.counts-deletions'],
    rules: overrideRules((base) => {
      const totals = new Map<string, number>();
      const keyOf = ({ environment, organizationId }: Call) => `${environment} ${organizationId}`;
      return {
        issueInvoice: (call, input, number) => {
          totals.clear();
          return base.issueInvoice(call, input, number);
        },
        page: (call, invoices, query) => {
          const total = totals.get(keyOf(call)) ?? invoices.length;
          totals.set(keyOf(call), total);
          return { ...base.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
        },
      };
    }),
  },
  {
    id: 'list-cached-without-direction',
    requirement: 'LIST-06',
    defect: 'The key of the cache of uncommon pages has no direction: desc returns the page of asc.',
    caughtBy: ['LIST-06.after-other-orders'],
    rules: cachedFor((call, query) =>
      isRare(query)
        ? `${call.organizationId} ${query.page} ${query.limit} ${query.sortBy}`
        : `${call.request.query.toString()} ${call.organizationId} ${performance.now()}`,
    ),
  },
  {
    id: 'list-cached-without-field',
    requirement: 'LIST-06',
    defect: 'The key of the cache of uncommon pages has no sort field: createdAt returns the page of dueDate.',
    caughtBy: ['LIST-06.after-other-orders'],
    rules: cachedFor((call, query) =>
      isRare(query)
        ? `${call.organizationId} ${query.page} ${query.limit} ${query.sortOrder}`
        : `${call.request.query.toString()} ${call.organizationId} ${performance.now()}`,
    ),
  },
  {
    id: 'list-cached-without-organization',
    requirement: 'LIST-09',
    defect: 'Uncommon pages are cached by their URL alone, so another organization gets the same page.',
    caughtBy: ['LIST-09.equal-requests'],
    rules: cachedFor((call, query) =>
      isRare(query) ? call.request.query.toString() : `${call.organizationId} ${performance.now()}`,
    ),
  },
  {
    id: 'list-tag-of-the-url',
    requirement: 'LIST-09',
    defect: 'The cache looks up an ETag by the URL, so that it confirms the one of another caller.',
    caughtBy: ['LIST-09.equal-requests'],
    rules: overrideRules((base) => {
      const known = new Map<string, string>();
      return {
        renderList: (call, page) => {
          const url = call.request.query.toString();
          const given = call.request.headers.get('If-None-Match');
          const own = `${call.organizationId} ${page.items.map(({ id, status }) => `${id} ${status}`).join()}`;
          const tag = createHash('sha256').update(own).digest('hex');
          if (given !== null && known.get(url) === given) return { status: 304, headers: { ETag: given } };
          known.set(url, `"${tag}"`);
          return tagged(call, base.renderList(call, page), tag);
        },
      };
    }),
  },
  {
    id: 'list-tag-of-the-total',
    requirement: 'REC-15',
    defect: 'The ETag of a list depends on the total and the newest invoice, so a transition does not change it.',
    caughtBy: ['REC-15.conditional'],
    rules: overrideRules((base) => ({
      renderList: (call, page) => {
        const of = `${call.organizationId} ${page.total} ${page.items[0]?.id}`;
        return tagged(call, base.renderList(call, page), of);
      },
    })),
  },
  {
    id: 'rec-tag-of-creation',
    requirement: 'REC-15',
    defect: 'The ETag of an invoice depends on its createdAt, because a transition does not set updatedAt.',
    caughtBy: ['REC-15.conditional'],
    rules: overrideRules((base) => ({
      renderRead: (call, invoice) => tagged(call, base.renderRead(call, invoice), `${invoice.id} ${invoice.createdAt}`),
    })),
  },
  {
    id: 'list-created-at-ties-random',
    requirement: 'LIST-15',
    defect: 'createdAt has whole seconds and is the only sort field: equal times have another order on each page.',
    caughtBy: ['LIST-15.created-at'],
    rules: overrideRules((base) => ({
      now: () => new Date(Math.floor(Date.now() / 1000) * 1000),
      sort: (call, invoices, query) => {
        const turn = ({ id }: Invoice) => (Number.parseInt(id.slice(0, 8), 16) * (query.page + 1) * 7919) % 1009;
        const mixed = query.sortBy === 'createdAt' ? invoices.toSorted((one, two) => turn(one) - turn(two)) : invoices;
        return base.sort(call, mixed, query);
      },
    })),
  },
  {
    id: 'list-created-at-cursor',
    requirement: 'LIST-15',
    defect: 'A later page begins after the createdAt of the page before and loses the invoices that share it.',
    caughtBy: ['LIST-15.created-at'],
    rules: overrideRules((base) => ({
      now: () => new Date(Math.floor(Date.now() / 1000) * 1000),
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        const before = invoices[query.page * query.limit - 1];
        if (query.sortBy !== 'createdAt' || !before || query.limit > 20) return page;
        const later = invoices
          .slice(query.page * query.limit)
          .filter(({ createdAt }) => createdAt !== before.createdAt);
        return { ...page, items: later.slice(0, query.limit) };
      },
    })),
  },
];
