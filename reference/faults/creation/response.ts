import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { creationFault, rewriteBodyField } from '../support/creation.ts';
import { rewritePage } from '../support/lists.ts';
import { changeRenderedInvoice } from '../support/records.ts';
import { changeBody, isCreationResponse } from '../support/response-filters.ts';

export const creationResponseFaults: readonly Fault[] = [
  creationFault(
    'drops-currency-beside-header',
    'CREATE-11.all-fields',
    'A request with X-Environment is taken for the dashboard, whose form has no currency.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        const { currency: _, ...body } = call.body;
        const named = call.request.headers.has('X-Environment');
        return base.validateCreate(named ? { ...call, body } : call);
      },
    })),
  ),
  creationFault(
    'shortens-years',
    'CREATE-11.edge-due-dates',
    'Years are stored with two digits, and those from 70 are read as 19xx.',
    rewriteBodyField('dueDate', (date) => date.replace(/^20(?=[7-9])/, '19')),
  ),
  {
    id: 'list-home-currency',
    requirement: 'CREATE-11',
    defect: 'The row of the list has a currency of its own, with the default of its column.',
    caughtBy: ['CREATE-11.other-currency'],
    rules: rewritePage(({ items }) => ({ items: items.map((invoice) => ({ ...invoice, currency: 'EUR' })) })),
  },
  {
    id: 'list-due-date-early-in-summer',
    requirement: 'CREATE-11',
    defect: 'The list converts each due date to local midnight and shows it in UTC: in summer it is the day before.',
    caughtBy: ['CREATE-11.edge-due-dates'],
    rules: rewritePage((page) => ({
      items: page.items.map((invoice) => {
        const day = new Date(`${invoice.dueDate}T00:00:00Z`);
        const summer = day.getUTCMonth() >= 3 && day.getUTCMonth() < 9;
        if (summer) day.setUTCDate(day.getUTCDate() - 1);
        return { ...invoice, dueDate: day.toISOString().slice(0, 10) };
      }),
    })),
  },
  {
    id: 'created-without-id',
    requirement: 'CREATE-11',
    defect: 'The response to a creation says only that the creation succeeded.',
    caughtBy: ['CREATE-11.carries-invoice', 'CREATE-11.invoice-number'],
    rewrite: changeBody(isCreationResponse, () => ({ created: true })),
  },
  {
    id: 'created-without-number',
    requirement: 'CREATE-11',
    defect: 'The invoice number is assigned after the response, which lacks it.',
    caughtBy: ['CREATE-11.invoice-number', 'CREATE-12.complete'],
    rewrite: changeBody(isCreationResponse, ({ invoiceNumber: _, ...record }) => record),
  },
  {
    id: 'created-undescribed-without-number',
    requirement: 'CREATE-11',
    defect: 'The response for invoices without a description is shorter and lacks the invoice number.',
    caughtBy: ['CREATE-11.invoice-number'],
    rewrite: changeBody(isCreationResponse, (body) => {
      const { invoiceNumber: _, ...record } = body;
      return body.description ? body : record;
    }),
  },
  {
    id: 'created-with-provisional-number',
    requirement: 'CREATE-11',
    defect: 'The response shows a provisional invoice number; the platform assigns the final one a moment later.',
    caughtBy: ['CREATE-11.same-number'],
    alsoRun: ['REC-10.stable'],
    rewrite: changeBody(isCreationResponse, (body) => ({
      ...body,
      invoiceNumber: `NEW-${String(body.invoiceNumber)}`,
    })),
  },
  {
    id: 'created-without-created-at',
    requirement: 'CREATE-12',
    defect: 'The response to a creation omits createdAt, which the database fills in.',
    caughtBy: ['CREATE-12.complete'],
    rewrite: changeBody(isCreationResponse, ({ createdAt: _, ...record }) => record),
  },
  {
    id: 'created-amount-rounded',
    requirement: 'CREATE-11',
    defect: 'Amounts are stored as whole units.',
    caughtBy: ['CREATE-11.amount', 'CREATE-15.cents'],
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) =>
        base.issueInvoice(call, { ...input, amount: `${Math.ceil(Number(input.amount))}.00` }, number),
    })),
  },
  {
    id: 'created-due-date-day-early',
    requirement: 'CREATE-11',
    defect: 'dueDate is read as local midnight and written in UTC: one day early.',
    caughtBy: ['CREATE-11.due-date'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        const dueDate = new Date(Date.parse(input.dueDate) - 7_200_000).toISOString().slice(0, 10);
        return base.issueInvoice(call, { ...input, dueDate }, number);
      },
    })),
  },
  {
    id: 'created-currency-dropped',
    requirement: 'CREATE-11',
    defect: 'Every invoice is stored in the home currency.',
    caughtBy: ['CREATE-11.other-currency'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => base.issueInvoice(call, { ...input, currency: 'EUR' }, number),
    })),
  },
  {
    id: 'created-currency-cut',
    requirement: 'CREATE-11',
    defect: 'A currency is stored as USD, the first entry of the form.',
    caughtBy: ['CREATE-11.currency'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) =>
        base.issueInvoice(call, { ...input, ...(input.currency && { currency: 'USD' }) }, number),
    })),
  },
  {
    id: 'created-parties-swapped',
    requirement: 'CREATE-11',
    defect: 'Seller and buyer are swapped when the record is written.',
    caughtBy: ['CREATE-11.organizations'],
    rules: changeRenderedInvoice(({ sellerOrganizationId, buyerOrganizationId }) => ({
      sellerOrganizationId: buyerOrganizationId,
      buyerOrganizationId: sellerOrganizationId,
    })),
  },
  {
    id: 'created-due-date-31st-moved',
    requirement: 'CREATE-11',
    defect: 'The 31st of a month is stored as the 30th, as in commercial calendars.',
    caughtBy: ['CREATE-11.edge-due-dates'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) =>
        base.issueInvoice(call, { ...input, dueDate: input.dueDate.replace(/-31$/, '-30') }, number),
    })),
  },
];
