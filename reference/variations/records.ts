import { refusals } from '../refusal.ts';
import { replaced } from './replaced.ts';
import type { Variation } from './variation.ts';

type Json = Record<string, unknown>;

const rendering = (change: (record: Json) => Json) =>
  replaced((honest) => ({ renderInvoice: (invoice) => change(honest.renderInvoice(invoice)) }));

const created = (status: number, place: (record: Json) => unknown = (record) => record) =>
  replaced(() => ({
    renderCreated: ({ rules }, invoice) => ({ status, body: place(rules.renderInvoice(invoice)) }),
  }));

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
let count = 4_711;

export const recordVariations: readonly Variation[] = [
  {
    id: 'ids-opaque',
    openPoint: 'The form of ids is not shown: prefixed texts instead of UUIDs.',
    rules: replaced(() => ({
      newId: () => `inv_${Array.from({ length: 22 }, () => LETTERS[Math.floor(Math.random() * 32)]).join('')}`,
    })),
  },
  {
    id: 'ids-counted',
    openPoint: 'The form of ids is not shown: whole numbers, as strings.',
    rules: replaced(() => ({
      newId: () => {
        count += 1;
        return String(count);
      },
    })),
  },
  {
    id: 'numbers-by-connection',
    openPoint: 'An invoiceNumber is unique per connection: it counts from 1 for each.',
    rules: replaced(() => {
      const last = new Map<string, number>();
      return {
        number: (_call, { id }) => {
          const next = (last.get(id) ?? 100) + 1;
          last.set(id, next);
          return String(next);
        },
      };
    }),
  },
  { id: 'created-200', openPoint: 'The success status of creation is not shown: 200.', rules: created(200) },
  { id: 'created-202', openPoint: 'The success status of creation is not shown: 202.', rules: created(202) },
  {
    id: 'created-in-data',
    openPoint: 'The shape of the creating answer is not shown: the invoice stands in data.',
    rules: created(201, (data) => ({ data })),
  },
  {
    id: 'created-deep',
    openPoint: 'The shape of the creating answer is not shown: result.invoice, with links and warnings beside.',
    rules: created(200, (invoice) => ({ success: true, result: { invoice, warnings: [] }, links: { self: '/x' } })),
  },
  {
    id: 'read-in-data',
    openPoint: 'Reading one invoice is not shown: the record stands in data.',
    rules: replaced(() => ({
      renderRead: ({ rules }, invoice) => ({ status: 200, body: { data: rules.renderInvoice(invoice) } }),
    })),
  },
  {
    id: 'description-not-returned',
    openPoint: 'Whether the description is returned is not shown: it is not.',
    rules: rendering(({ description: _, ...record }) => record),
  },
  {
    id: 'description-null',
    openPoint: 'Whether the description is returned is not shown: null where there is none.',
    rules: rendering((record) => ({ ...record, description: record.description ?? null })),
  },
  {
    id: 'extra-fields',
    openPoint: 'Further fields of an invoice are not shown: updatedAt, paidAmount and links.',
    rules: rendering((record) => ({
      ...record,
      updatedAt: new Date().toISOString(),
      paidAmount: '0.00',
      version: 3,
      links: { self: { href: `/api/v1/invoices/${String(record.id)}` } },
      sellerOrganization: { id: record.sellerOrganizationId, name: 'Seller' },
    })),
  },
  {
    id: 'created-at-offset',
    openPoint: 'ISO 8601 knows several ways to write UTC: +00:00.',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replace('Z', '+00:00') })),
  },
  {
    id: 'created-at-seconds',
    openPoint: 'The precision of createdAt is not shown: whole seconds.',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replace(/\.\d+Z/, 'Z') })),
  },
  {
    id: 'created-at-microseconds',
    openPoint: 'The precision of createdAt is not shown: microseconds.',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replace('Z', '000Z') })),
  },
  {
    id: 'default-currency-usd',
    openPoint: 'The default currency is not shown: USD.',
    rules: replaced((honest) => ({
      issue: (call, input, number) => honest.issue(call, { ...input, currency: input.currency ?? 'USD' }, number),
    })),
  },
  {
    id: 'one-currency',
    openPoint: 'Which currencies are dealt in is not shown: one, and 400 for the others.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const input = honest.validateCreate(call);
        if (input.currency && input.currency !== 'EUR') throw refusals.invalidInvoice('currency: EUR only');
        return input;
      },
    })),
  },
  {
    id: 'currency-upper-cased',
    openPoint: 'A currency in lower case may be refused or answered in upper case: the latter.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const { currency } = call.body;
        const understood = typeof currency === 'string' && /^[a-z]{3}$/.test(currency);
        return honest.validateCreate(
          understood ? { ...call, body: { ...call.body, currency: currency.toUpperCase() } } : call,
        );
      },
    })),
  },
  {
    id: 'amount-whole-accepted',
    openPoint: 'Whether an amount without fraction is valid is not shown: it is, and is completed.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const { amount } = call.body;
        const whole = typeof amount === 'string' && /^[1-9]\d{0,9}$/.test(amount);
        return honest.validateCreate(whole ? { ...call, body: { ...call.body, amount: `${amount}.00` } } : call);
      },
    })),
  },
  {
    id: 'amount-capped',
    openPoint: 'The largest amount is not shown: 1000.00.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const input = honest.validateCreate(call);
        if (Number(input.amount) > 1_000) throw refusals.invalidInvoice('amount: at most 1000.00');
        return input;
      },
    })),
  },
  {
    id: 'amount-unlimited',
    openPoint: 'The largest amount is not shown: there is none, and every digit is kept.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const { amount } = call.body;
        if (typeof amount !== 'string' || !/^\d{14,20}\.\d\d$/.test(amount)) return honest.validateCreate(call);
        return { ...honest.validateCreate({ ...call, body: { ...call.body, amount: '1.00' } }), amount };
      },
    })),
  },
  {
    id: 'nulls-as-absent',
    openPoint: 'Whether null stands for an absent optional field is not shown: it does.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const given = Object.entries(call.body).filter(
          ([name, value]) => value !== null || !['currency', 'description', 'requestId'].includes(name),
        );
        return honest.validateCreate({ ...call, body: Object.fromEntries(given) });
      },
    })),
  },
  {
    id: 'due-date-not-past',
    openPoint: 'Which dates are due dates is not shown: none of the past, none beyond a year.',
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const input = honest.validateCreate(call);
        const days = (Date.parse(input.dueDate) - Date.now()) / 86_400_000;
        if (days < -1 || days > 366) throw refusals.invalidInvoice('dueDate: within a year');
        return input;
      },
    })),
  },
];
