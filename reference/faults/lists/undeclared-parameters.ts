import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { isParty } from '../../rules/access/visible-invoices.ts';
import type { Call } from '../../service/call.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { queryParameter } from '../support/lists.ts';

/** A filter that takes the place of the filter by organization, or is combined with it in a wrong way. */
const selecting = (select: (call: Call, invoice: Invoice) => boolean | undefined): RuleChange =>
  overrideRules((base) => ({
    visibleInvoices: (call) => {
      const found = [...call.world.invoices.values()].filter((invoice) => select(call, invoice) === true);
      return found.length > 0 ? found : base.visibleInvoices(call);
    },
  }));

const has = (call: Call, name: string, value: string) => queryParameter(call, name) === value;

export const listsUndeclaredParametersFaults: readonly Fault[] = [
  {
    id: 'list-filter-replaces-organization',
    requirement: 'LIST-09',
    defect: 'A nested filter from the query overwrites the condition that limits the list to the organization.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: selecting((call, invoice) => has(call, 'filter[sellerOrganizationId]', invoice.sellerOrganizationId)),
  },
  {
    id: 'list-buyer-filter-unscoped',
    requirement: 'LIST-09',
    defect: 'The filter by buyer is a query of its own, which does not check the caller.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: selecting((call, invoice) => has(call, 'buyerId', invoice.buyerOrganizationId)),
  },
  {
    id: 'list-empty-organization',
    requirement: 'LIST-09',
    defect: 'An empty organization in the query overwrites that of the key, and an empty one means no filter.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: selecting((call) => has(call, 'organizationId', '')),
  },
  {
    id: 'list-scope-all',
    requirement: 'LIST-09',
    defect: 'The scope of the back office is applied for every caller.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: selecting((call) => has(call, 'scope', 'all')),
  },
  {
    id: 'list-tenant-header-counted',
    requirement: 'LIST-09',
    defect: 'The count uses the tenant of a header, and the records that of the key.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        const tenant = call.request.headers.get('X-Tenant-Id');
        if (tenant === null) return page;
        const total = [...call.world.invoices.values()].filter((invoice) => isParty(invoice, tenant)).length;
        return { ...page, total, totalPages: Math.ceil(total / page.limit) };
      },
    })),
  },
  {
    id: 'list-ids-unscoped',
    requirement: 'LIST-09',
    defect: 'A list of ids is loaded by primary keys, without the organization.',
    caughtBy: ['LIST-09.record-parameters'],
    rules: selecting((call, { id }) => queryParameter(call, 'ids')?.split(',').includes(id)),
  },
  {
    id: 'list-search-or',
    requirement: 'LIST-09',
    defect: 'The conditions of a search are joined with OR without parentheses, so the organization limits only one.',
    caughtBy: ['LIST-09.record-parameters'],
    rules: selecting((call, { invoiceNumber }) => has(call, 'q', invoiceNumber)),
  },
  {
    id: 'list-status-unscoped',
    requirement: 'LIST-09',
    defect: 'The filter by status replaces the condition of the organization.',
    caughtBy: ['LIST-09.record-parameters'],
    rules: selecting((call, { status }) => has(call, 'status', status)),
  },
  {
    id: 'list-id-counted',
    requirement: 'LIST-09',
    defect: 'The filter by id is applied without the organization to the count, which reveals that an id exists.',
    caughtBy: ['LIST-09.record-parameters'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const id = queryParameter(call, 'id');
        const own = id === null ? invoices : invoices.filter((each) => each.id === id);
        const page = base.page(call, own, query);
        const exists = id !== null && call.world.invoices.has(id);
        return exists && own.length === 0 ? { ...page, total: 1, totalPages: 1 } : page;
      },
    })),
  },
  {
    id: 'list-expand-counterparty',
    requirement: 'LIST-09',
    defect: 'An expanded organization includes its invoices, also those with others.',
    caughtBy: ['LIST-09.record-parameters'],
    rules: overrideRules((base) => ({
      renderList: (call, page) => {
        const response = base.renderList(call, page);
        if (!queryParameter(call, 'expand')?.includes('seller.invoices')) return response;
        const invoices = [...call.world.invoices.values()].map((invoice) => base.renderInvoice(invoice));
        const { items, ...envelope } = response.body as { items: object[] };
        return { ...response, body: { ...envelope, items: items.map((item) => ({ ...item, seller: { invoices } })) } };
      },
    })),
  },
  {
    id: 'list-page-size-alias',
    requirement: 'LIST-05',
    defect: 'perPage of the old interface still works, and only limit is compared with the maximum.',
    caughtBy: ['LIST-05.other-names'],
    alsoRun: ['REC-11.simultaneous', 'LIST-08.walk'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const size = Number(queryParameter(call, 'perPage') ?? 0);
        return { ...base.validateQuery(call), ...(size > 0 && { limit: size }) };
      },
    })),
  },
  {
    id: 'list-unpaged',
    requirement: 'LIST-05',
    defect: 'A parameter of the framework turns the pages off.',
    caughtBy: ['LIST-05.other-names'],
    alsoRun: ['REC-11.simultaneous', 'LIST-08.walk'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      page: (call, invoices, query) =>
        has(call, 'unpaged', 'true')
          ? { items: [...invoices], total: invoices.length, totalPages: 1, page: 0, limit: invoices.length }
          : base.page(call, invoices, query),
    })),
  },
];
