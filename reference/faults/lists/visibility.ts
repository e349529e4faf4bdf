import { overrideRules } from '../../overrides/override-rules.ts';
import { isParty } from '../../rules/access/visible-invoices.ts';
import type { Call } from '../../service/call.ts';
import { toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isReadCall, LARGE_SUM_CENTS } from '../support/environments.ts';
import { queryParameter, rewritePage } from '../support/lists.ts';

const isBuyer = ({ organizationId }: Call, invoice: Invoice) => invoice.buyerOrganizationId === organizationId;

/** The list shows the invoices of all organizations to the calls of a condition. */
const unfilteredIf = (isUnfiltered: (call: Call) => boolean) =>
  overrideRules((base) => ({
    visibleInvoices: (call) => (isUnfiltered(call) ? [...call.world.invoices.values()] : base.visibleInvoices(call)),
  }));

export const listsVisibilityFaults: readonly Fault[] = [
  {
    id: 'list-drops-large',
    requirement: 'LIST-09',
    defect: 'Invoices of 100,000 or more wait for the treasurer in a separate view and are not in the list.',
    caughtBy: ['LIST-09.every-variant'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => base.visibleInvoices(call).filter(({ amount }) => toCents(amount) < LARGE_SUM_CENTS),
    })),
  },
  {
    id: 'list-drops-undescribed-for-buyers',
    requirement: 'LIST-14',
    defect: "The buyer's list joins the descriptions: an invoice without one is missing.",
    caughtBy: ['LIST-14.every-variant'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base
          .visibleInvoices(call)
          .filter((invoice) => !isBuyer(call, invoice) || !isReadCall(call) || invoice.description !== undefined),
    })),
  },
  {
    id: 'list-small-hidden-from-buyer',
    requirement: 'LIST-14',
    defect: 'A buyer who reads an invoice below 5.00, which needs no approval, gets 404.',
    caughtBy: ['LIST-14.reads-every-variant'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const invoice = base.findInvoice(call, id);
        if (isReadCall(call) && isBuyer(call, invoice) && toCents(invoice.amount) < 500n)
          throw rejections.invoiceNotFound();
        return invoice;
      },
    })),
  },
  {
    id: 'list-scoped-by-header',
    requirement: 'LIST-09',
    defect: 'The server accepts the organization header of dashboard sessions from API keys, too.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => {
        const named = call.request.headers.get('X-Organization-Id');
        const others = [...call.world.invoices.values()].filter((invoice) => named !== null && isParty(invoice, named));
        return others.length > 0 ? others : base.visibleInvoices(call);
      },
    })),
  },
  {
    id: 'list-foreign',
    requirement: 'LIST-09',
    defect: 'The list forgets to filter by organization.',
    caughtBy: ['LIST-09.only-own', 'LIST-09.third-organization'],
    rules: overrideRules(() => ({ visibleInvoices: ({ world: environment }) => [...environment.invoices.values()] })),
  },
  {
    id: 'list-by-amount-foreign',
    requirement: 'LIST-09',
    defect: 'The query that sorts by amount was written for the back office and does not filter by organization.',
    caughtBy: ['LIST-09.third-organization'],
    rules: unfilteredIf(({ request }) => request.query.get('sortBy') === 'amount'),
  },
  {
    id: 'list-by-organization',
    requirement: 'LIST-09',
    defect: 'organizationId, a query parameter of the back office, is applied for every caller.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => {
        const organizationId = call.request.query.get('organizationId') ?? call.organizationId;
        return base.visibleInvoices({ ...call, organizationId });
      },
    })),
  },
  {
    id: 'list-total-foreign',
    requirement: 'LIST-09',
    defect: 'The records are filtered by organization, but their count is not.',
    caughtBy: ['LIST-09.third-organization'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const total = call.world.invoices.size;
        return { ...base.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'list-cancelled-hidden-from-buyer',
    requirement: 'LIST-14',
    defect: 'A buyer who reads a cancelled invoice gets 404.',
    caughtBy: ['LIST-14.buyer-reads'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const invoice = base.findInvoice(call, id);
        if (invoice.status === 'CANCELLED' && call.organizationId === invoice.buyerOrganizationId) {
          throw rejections.invoiceNotFound();
        }
        return invoice;
      },
    })),
  },
  {
    id: 'list-cancelled-hidden',
    requirement: 'LIST-09',
    defect: 'Cancelled invoices are archived at once and disappear from the list.',
    caughtBy: ['LIST-09.every-state'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => base.visibleInvoices(call).filter(({ status }) => status !== 'CANCELLED'),
    })),
  },
  {
    id: 'list-state-from-index',
    requirement: 'LIST-09',
    defect: 'The list comes from an index that is written only at the creation: every status is the initial one.',
    caughtBy: ['LIST-09.every-state'],
    rules: rewritePage((page) => ({ items: page.items.map((invoice) => ({ ...invoice, status: 'DRAFT' as const })) })),
  },
  {
    id: 'list-amount-index-stale',
    requirement: 'LIST-09',
    defect: 'Sorted by amount, the list comes from an index that is written only at the creation.',
    caughtBy: ['LIST-09.every-state'],
    rules: rewritePage((page, call) => ({
      items:
        queryParameter(call, 'sortBy') === 'amount'
          ? page.items.map((invoice) => ({ ...invoice, status: 'DRAFT' as const }))
          : page.items,
    })),
  },
  {
    id: 'list-misses-resolutions',
    requirement: 'LIST-09',
    defect: 'The index of the list has no handler for resolutions: it still shows DISPUTED.',
    caughtBy: ['LIST-09.resolved'],
    rules: rewritePage((page) => ({
      items: page.items.map((invoice) =>
        invoice.status === 'SUBMITTED' && invoice.notes.length > 0
          ? { ...invoice, status: 'DISPUTED' as const }
          : invoice,
      ),
    })),
  },
  {
    id: 'list-own-hidden',
    requirement: 'LIST-09',
    defect: 'The list shows an organization the invoices it buys, not those it sells.',
    caughtBy: ['LIST-09.own-invoice-listed'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).filter(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId),
    })),
  },
  {
    id: 'list-buyer-empty',
    requirement: 'LIST-14',
    defect: 'The buyer can read invoices one by one, but its list is empty.',
    caughtBy: ['LIST-14.buyer'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).filter(({ sellerOrganizationId }) => sellerOrganizationId === call.organizationId),
    })),
  },
  {
    id: 'list-of-the-key',
    requirement: 'LIST-09',
    defect: 'The list shows the invoices created with the same key, instead of those of the organization.',
    caughtBy: ['LIST-09.other-key'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => (call.key.scopes.includes('write') ? base.visibleInvoices(call) : []),
    })),
  },
  {
    id: 'list-open-by-due-date',
    requirement: 'LIST-09',
    defect: 'The list in the order of due dates is a query of its own, which does not filter by organization.',
    caughtBy: ['LIST-09.third-organization'],
    rules: unfilteredIf(({ request }) => request.query.get('sortBy') === 'dueDate'),
  },
  {
    id: 'list-open-by-buyer',
    requirement: 'LIST-09',
    defect: 'The list in the order of buyers joins another table, and loses the filter by organization.',
    caughtBy: ['LIST-09.third-organization'],
    rules: unfilteredIf(({ request }) => request.query.get('sortBy') === 'buyerOrganizationId'),
  },
  {
    id: 'list-open-with-environment',
    requirement: 'LIST-09',
    defect: 'A request with X-Environment is taken for the operator dashboard, which shows every invoice.',
    caughtBy: ['LIST-09.third-organization'],
    rules: unfilteredIf(({ request }) => request.headers.has('X-Environment')),
  },
  {
    id: 'created-not-listed',
    requirement: 'LIST-09',
    defect: 'New invoices are listed only after they are submitted.',
    caughtBy: ['LIST-09.own-invoice-listed'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).filter(({ status, notes }) => status !== 'DRAFT' || notes.length > 0),
    })),
  },
];
