import { overrideRules } from '../../overrides/override-rules.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { changeRenderedInvoice } from '../support/records.ts';
import { changeItems } from '../support/response-filters.ts';

export const recordsFieldsFaults: readonly Fault[] = [
  {
    id: 'life-amount-gross-when-approved',
    requirement: 'REC-10',
    defect: 'Approval adds a fee to the amount of the invoice.',
    caughtBy: ['REC-10.amount'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (next === 'APPROVED') invoice.amount = `${Number.parseInt(invoice.amount, 10) + 1}.00`;
      },
    })),
  },
  {
    id: 'rec-id-number',
    requirement: 'REC-01',
    defect: 'List items carry the database row number as id.',
    caughtBy: ['REC-01.id'],
    rewrite: changeItems((record, at) => ({ ...record, id: at + 1 })),
  },
  {
    id: 'rec-number-null',
    requirement: 'REC-02',
    defect: 'The invoice number of a draft is null until the draft is submitted.',
    caughtBy: ['REC-02.invoice-number'],
    rules: changeRenderedInvoice(({ status, invoiceNumber }) => ({
      invoiceNumber: status === 'DRAFT' ? null : invoiceNumber,
    })),
  },
  {
    id: 'rec-status-lower-case',
    requirement: 'REC-03',
    defect: 'The list renders the status in lower case.',
    caughtBy: ['REC-03.status'],
    rewrite: changeItems((record) => ({ ...record, status: String(record.status).toLowerCase() })),
  },
  {
    id: 'rec-status-seventh',
    requirement: 'REC-03',
    defect: 'The list shows a cancelled invoice as VOID, a state of the previous version.',
    caughtBy: ['REC-03.status'],
    alsoRun: ['LIFE-04.cancel', 'LIST-09.every-state'],
    rewrite: changeItems((record) => ({ ...record, status: record.status === 'CANCELLED' ? 'VOID' : record.status })),
  },
  {
    id: 'rec-status-overdue',
    requirement: 'REC-03',
    defect: 'The list shows a submitted invoice with a past due date as OVERDUE, as the dashboard does.',
    caughtBy: ['REC-03.status'],
    alsoRun: ['LIST-09.every-variant'],
    rewrite: changeItems((record) => {
      const late = record.status === 'SUBMITTED' && String(record.dueDate) < new Date().toISOString().slice(0, 10);
      return late ? { ...record, status: 'OVERDUE' } : record;
    }),
  },
  {
    id: 'rec-amount-number',
    requirement: 'REC-04',
    defect: 'The amount of a list item is a JSON number.',
    caughtBy: ['REC-04.amount'],
    rewrite: changeItems((record) => ({ ...record, amount: Number(record.amount) })),
  },
  {
    id: 'rec-amount-trimmed-zeros',
    requirement: 'REC-04',
    defect: 'Amounts lose their trailing zeros when they are serialized: 20.00 becomes 20.',
    caughtBy: ['REC-04.amount', 'CREATE-15.trailing-zero'],
    rules: changeRenderedInvoice(({ amount }) => ({ amount: String(Number(amount)) })),
  },
  {
    id: 'rec-currency-symbol',
    requirement: 'REC-05',
    defect: 'List items contain the symbol of the currency instead of its code.',
    caughtBy: ['REC-05.currency'],
    rewrite: changeItems((record) => ({ ...record, currency: '€' })),
  },
  {
    id: 'rec-buyer-object',
    requirement: 'REC-06',
    defect: 'The list expands the buyer into an object with its name.',
    caughtBy: ['REC-06.buyer'],
    rewrite: changeItems((record) => ({ ...record, buyerOrganizationId: { id: record.buyerOrganizationId } })),
  },
  {
    id: 'rec-seller-renamed',
    requirement: 'REC-07',
    defect: 'List items name the seller sellerId, as in the request.',
    caughtBy: ['REC-07.seller'],
    rewrite: changeItems(({ sellerOrganizationId, ...record }) => ({ ...record, sellerId: sellerOrganizationId })),
  },
  {
    id: 'rec-due-date-timestamp',
    requirement: 'REC-08',
    defect: 'dueDate is serialized as a timestamp at midnight.',
    caughtBy: ['REC-08.due-date'],
    rewrite: changeItems((record) => ({ ...record, dueDate: `${String(record.dueDate)}T00:00:00.000Z` })),
  },
  {
    id: 'rec-created-at-epoch',
    requirement: 'REC-09',
    defect: 'createdAt is serialized as milliseconds since 1970.',
    caughtBy: ['REC-09.created-at'],
    rewrite: changeItems((record) => ({ ...record, createdAt: Date.parse(String(record.createdAt)) })),
  },
  {
    id: 'rec-created-at-without-zone',
    requirement: 'REC-09',
    defect: 'createdAt has no time zone.',
    caughtBy: ['REC-09.created-at'],
    rules: changeRenderedInvoice(({ createdAt }) => ({ createdAt: String(createdAt).replace('Z', '') })),
  },
  {
    id: 'rec-created-at-local-as-utc',
    requirement: 'REC-09',
    defect: 'createdAt is the local time of the server, written with a Z.',
    caughtBy: ['REC-09.utc-time'],
    rules: overrideRules((base) => ({ now: () => new Date(base.now().getTime() + 2 * 3_600_000) })),
  },
  {
    id: 'rec-created-at-is-updated-at',
    requirement: 'REC-16',
    defect: 'Each update of the row overwrites createdAt.',
    caughtBy: ['REC-16.listed'],
    alsoRun: ['LIFE-04.submit', 'LIFE-04.approve', 'LIFE-04.settle', 'LIST-09.every-state'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        invoice.createdAt = new Date(call.rules.now().getTime() + 2_000).toISOString();
      },
    })),
  },
  {
    id: 'rec-currency-of-payout',
    requirement: 'REC-16',
    defect: 'A settled invoice is shown in the currency of the payout, which differs from its own.',
    caughtBy: ['REC-16.listed'],
    alsoRun: ['LIFE-04.submit', 'LIFE-04.approve', 'LIFE-04.settle', 'LIST-09.every-state'],
    rules: changeRenderedInvoice(({ status }) => (status === 'SETTLED' ? { currency: 'CHF' } : {})),
  },
  {
    id: 'rec-created-at-touched',
    requirement: 'REC-16',
    defect: 'The database sets every timestamp of the row to the time of its last update.',
    caughtBy: ['REC-16.listed'],
    alsoRun: ['LIFE-04.submit', 'LIFE-04.approve', 'LIST-02.counts-creations', 'LIST-09.every-state', 'LIST-14.buyer'],
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        invoice.createdAt = call.rules.now().toISOString();
      },
    })),
  },
  {
    id: 'rec-parties-swapped-for-buyer',
    requirement: 'REC-06',
    defect: "The buyer's list comes from a separate view in which seller and buyer are swapped.",
    caughtBy: ['REC-06.same-buyer', 'REC-07.same-seller'],
    alsoRun: ['LIFE-04.submit', 'LIST-14.buyer', 'LIST-09.every-state'],
    rules: overrideRules((base) => ({
      renderList: (call, page) => {
        const swap = (invoice: Invoice): Invoice =>
          invoice.buyerOrganizationId === call.organizationId
            ? {
                ...invoice,
                buyerOrganizationId: invoice.sellerOrganizationId,
                sellerOrganizationId: invoice.buyerOrganizationId,
              }
            : invoice;
        return base.renderList(call, { ...page, items: page.items.map(swap) });
      },
    })),
  },
  {
    id: 'rec-number-on-submission',
    requirement: 'REC-10',
    defect: 'A submission assigns a new invoice number.',
    caughtBy: ['REC-10.stable'],
    alsoRun: ['LIFE-04.submit'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (next === 'SUBMITTED') invoice.invoiceNumber = `${invoice.invoiceNumber}-S`;
      },
    })),
  },
  {
    id: 'description-emptied-by-approval',
    requirement: 'REC-10',
    defect: 'An approval saves the whole row from a form that has no description, and empties it.',
    caughtBy: ['REC-10.amount'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (call.route.name === 'approve') Object.assign(invoice, { description: null });
      },
    })),
  },
  {
    id: 'description-overwritten-by-reason',
    requirement: 'REC-10',
    defect: 'The reason of a dispute overwrites the description.',
    caughtBy: ['REC-10.amount'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (input.reason) invoice.description = input.reason;
      },
    })),
  },
];
