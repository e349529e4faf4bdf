import { overrideRules } from '../../overrides/override-rules.ts';
import { isParty } from '../../rules/access/visible-invoices.ts';
import type { Call } from '../../service/call.ts';
import { toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isReadCall, LARGE_SUM_CENTS } from '../support/environments.ts';
import { rewritePage } from '../support/rewrite-page.ts';

const isBuyer = ({ organizationId }: Call, invoice: Invoice) => invoice.buyerOrganizationId === organizationId;

export const listsVisibilityFaults: readonly Fault[] = [
  {
    id: 'list-drops-large',
    requirement: 'LIST-09',
    defect: 'What waits for the treasurer, from 100,000 on, is a view of its own, and not in the list.',
    caughtBy: ['LIST-09.every-variant'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => base.visibleInvoices(call).filter(({ amount }) => toCents(amount) < LARGE_SUM_CENTS),
    })),
  },
  {
    id: 'list-drops-undescribed-for-buyers',
    requirement: 'LIST-14',
    defect: "The buyer's list joins the texts: an invoice without a description is not in it.",
    caughtBy: ['LIST-14.every-variant'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base
          .visibleInvoices(call)
          .filter((invoice) => !isBuyer(call, invoice) || !isReadCall(call) || invoice.description !== undefined),
    })),
  },
  {
    id: 'list-small-unread-by-buyer',
    requirement: 'LIST-14',
    defect: 'A buyer who reads what needs no approval, below 5.00, gets 404.',
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
    defect: 'The organization that a dashboard session names in a header is believed of keys, too.',
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
    id: 'list-of-everybody',
    requirement: 'LIST-09',
    defect: 'The list forgets to filter by organization.',
    caughtBy: ['LIST-09.only-own', 'LIST-09.third-organization'],
    rules: overrideRules(() => ({ visibleInvoices: ({ world: environment }) => [...environment.invoices.values()] })),
  },
  {
    id: 'list-by-amount-of-everybody',
    requirement: 'LIST-09',
    defect: 'The statement that sorts by amount was written for the back office, and has no organization in it.',
    caughtBy: ['LIST-09.third-organization'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.request.query.get('sortBy') === 'amount' ? [...call.world.invoices.values()] : base.visibleInvoices(call),
    })),
  },
  {
    id: 'list-by-organization',
    requirement: 'LIST-09',
    defect: 'A parameter of the back office, organizationId, is heeded whoever asks.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => {
        const organizationId = call.request.query.get('organizationId') ?? call.organizationId;
        return base.visibleInvoices({ ...call, organizationId });
      },
    })),
  },
  {
    id: 'list-total-of-everybody',
    requirement: 'LIST-09',
    defect: 'The records are filtered by organization, their count is not.',
    caughtBy: ['LIST-09.third-organization'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const total = call.world.invoices.size;
        return { ...base.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'list-cancelled-unread-by-buyer',
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
    defect: 'Cancelled invoices are archived at once and leave the list.',
    caughtBy: ['LIST-09.every-state'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => base.visibleInvoices(call).filter(({ status }) => status !== 'CANCELLED'),
    })),
  },
  {
    id: 'list-state-from-index',
    requirement: 'LIST-09',
    defect: 'The list comes from an index that is written at creation and never again: every status is the first one.',
    caughtBy: ['LIST-09.every-state'],
    rules: rewritePage((page) => ({ items: page.items.map((invoice) => ({ ...invoice, status: 'DRAFT' as const })) })),
  },
  {
    id: 'list-misses-resolutions',
    requirement: 'LIST-09',
    defect: 'The index of the list has no handler for resolutions: it goes on showing DISPUTED.',
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
    id: 'list-own-not-seen',
    requirement: 'LIST-09',
    defect: 'The list shows an organization the invoices it buys, not those it sells.',
    caughtBy: ['LIST-09.own-invoice-listed'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).filter(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId),
    })),
  },
  {
    id: 'list-buyer-sees-nothing',
    requirement: 'LIST-14',
    defect: 'The buyer reads its invoices one by one; the list is the seller’s alone.',
    caughtBy: ['LIST-14.buyer'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).filter(({ sellerOrganizationId }) => sellerOrganizationId === call.organizationId),
    })),
  },
  {
    id: 'list-of-the-key',
    requirement: 'LIST-09',
    defect: 'The list shows what was created with the same key, instead of what the organization has.',
    caughtBy: ['LIST-09.other-key'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => (call.key.scopes.includes('write') ? base.visibleInvoices(call) : []),
    })),
  },
  {
    id: 'list-open-by-due-date',
    requirement: 'LIST-09',
    defect: 'The list in the order of due dates is a statement of its own, which forgets to filter by organization.',
    caughtBy: ['LIST-09.third-organization'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.request.query.get('sortBy') === 'dueDate' ? [...call.world.invoices.values()] : base.visibleInvoices(call),
    })),
  },
  {
    id: 'list-open-with-environment',
    requirement: 'LIST-09',
    defect: 'Who names the environment comes from the dashboard of the operators, who see every invoice.',
    caughtBy: ['LIST-09.third-organization'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.request.headers.has('X-Environment') ? [...call.world.invoices.values()] : base.visibleInvoices(call),
    })),
  },
  {
    id: 'created-not-listed',
    requirement: 'LIST-09',
    defect: 'New invoices are only listed once they are submitted.',
    caughtBy: ['LIST-09.own-invoice-listed'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).filter(({ status, notes }) => status !== 'DRAFT' || notes.length > 0),
    })),
  },
];
