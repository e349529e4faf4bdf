import { overrideRules } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { InvoiceStatus } from '../../service/store.ts';

type Json = Record<string, unknown>;

const rendering = (change: (record: Json) => Json) =>
  overrideRules((base) => ({ renderInvoice: (invoice) => change(base.renderInvoice(invoice)) }));

const created = (status: number, place: (record: Json) => unknown = (record) => record) =>
  overrideRules(() => ({
    renderCreated: ({ rules }, invoice) => ({ status, body: place(rules.renderInvoice(invoice)) }),
  }));

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
let count = 4_711;
/** One of this many numbers is already taken when it is assigned. */
const TAKEN_ONCE_IN = 6;

/** The minimum number of transitions of an invoice. */
const MOVES: Readonly<Record<InvoiceStatus, number>> = {
  DRAFT: 0,
  SUBMITTED: 1,
  APPROVED: 2,
  DISPUTED: 2,
  CANCELLED: 2,
  SETTLED: 3,
};

/** Due dates at least this many days ahead. */
const dueFromDay = (day: number) =>
  overrideRules((base) => ({
    validateCreate: (call) => {
      const input = base.validateCreate(call);
      const days = (Date.parse(input.dueDate) - Date.now()) / 86_400_000;
      if (days < day - 1) throw rejections.invalidInvoice(`dueDate: in ${day} days at the soonest`);
      return input;
    },
  }));

export const recordVariations: readonly Variation[] = [
  {
    id: 'ids-opaque',
    openPoint: 'OP-07',
    choice: 'a prefixed random text',
    rules: overrideRules(() => ({
      newId: () => `inv_${Array.from({ length: 22 }, () => LETTERS[Math.floor(Math.random() * 32)]).join('')}`,
    })),
  },
  {
    id: 'ids-counted',
    openPoint: 'OP-07',
    choice: 'a counted number, as a string',
    rules: overrideRules(() => ({
      newId: () => {
        count += 1;
        return String(count);
      },
    })),
  },
  {
    id: 'numbers-by-connection',
    openPoint: 'OP-08',
    choice: 'a bare number, counted for each connection',
    rules: overrideRules(() => {
      const last = new Map<string, number>();
      return {
        nextInvoiceNumber: (_call, { id }) => {
          const next = (last.get(id) ?? 100) + 1;
          last.set(id, next);
          return String(next);
        },
      };
    }),
  },
  {
    id: 'numbers-meet-duplicates',
    openPoint: 'OP-115',
    choice: 'sometimes',
    rules: overrideRules((base) => {
      let numbered = 0;
      return {
        nextInvoiceNumber: (call, connection) => {
          numbered += 1;
          if (numbered % TAKEN_ONCE_IN === 0) throw rejections.numberTaken();
          return base.nextInvoiceNumber(call, connection);
        },
      };
    }),
  },
  { id: 'created-200', openPoint: 'OP-31', choice: '200', rules: created(200) },
  { id: 'created-202', openPoint: 'OP-31', choice: '202', rules: created(202) },
  {
    id: 'created-in-data',
    openPoint: 'OP-32',
    choice: 'in data',
    rules: created(201, (data) => ({ data })),
  },
  {
    id: 'created-deep',
    openPoint: 'OP-32',
    choice: 'in result.invoice, with warnings and links',
    rules: created(200, (invoice) => ({ success: true, result: { invoice, warnings: [] }, links: { self: '/x' } })),
  },
  {
    id: 'created-as-resource',
    openPoint: 'OP-32',
    choice: 'in data.attributes, with its id in data',
    rules: created(201, ({ id, ...attributes }) => ({ data: { type: 'invoices', id, attributes } })),
  },
  {
    id: 'read-in-data',
    openPoint: 'OP-46',
    choice: 'in data',
    rules: overrideRules(() => ({
      renderRead: ({ rules }, invoice) => ({ status: 200, body: { data: rules.renderInvoice(invoice) } }),
    })),
  },
  {
    id: 'read-as-document',
    openPoint: 'OP-46',
    choice: 'nowhere: the read returns a printable document',
    rules: overrideRules((base) => ({
      // The original rule decides the visibility.
      renderRead: (call, invoice) => {
        const { status } = base.renderRead(call, invoice);
        return { status, body: { document: { title: invoice.invoiceNumber, pages: 1 } } };
      },
    })),
  },
  {
    id: 'read-with-parties',
    openPoint: 'OP-46',
    choice: 'in the body, with parties and amount as objects',
    rules: overrideRules((base) => ({
      renderRead: (call, invoice) => {
        const { status } = base.renderRead(call, invoice);
        const { buyerOrganizationId, sellerOrganizationId, amount, currency, ...record } =
          call.rules.renderInvoice(invoice);
        const parties = { buyer: { id: buyerOrganizationId }, seller: { id: sellerOrganizationId } };
        return { status, body: { ...record, ...parties, amount: { value: amount, currency } } };
      },
    })),
  },
  {
    id: 'read-as-one-item',
    openPoint: 'OP-46',
    choice: 'the only item of a list',
    rules: overrideRules(() => ({
      renderRead: ({ rules }, invoice) => ({ status: 200, body: { items: [rules.renderInvoice(invoice)] } }),
    })),
  },
  {
    id: 'read-with-history',
    openPoint: 'OP-46',
    choice: 'after a history of its earlier states',
    rules: overrideRules(() => ({
      renderRead: ({ rules }, invoice) => {
        const record = rules.renderInvoice(invoice);
        const versions = ['DRAFT', 'SUBMITTED', 'APPROVED']
          .slice(0, MOVES[invoice.status])
          .map((status) => ({ ...record, status }));
        return { status: 200, body: { versions: [...versions, record] } };
      },
    })),
  },
  {
    id: 'description-not-returned',
    openPoint: 'OP-10',
    choice: 'never',
    rules: rendering(({ description: _, ...record }) => record),
  },
  {
    id: 'description-null',
    openPoint: 'OP-10',
    choice: 'always, null if there is none',
    rules: rendering((record) => ({ ...record, description: record.description ?? null })),
  },
  {
    id: 'description-with-language',
    openPoint: 'OP-10',
    choice: 'in an object, with its language',
    rules: rendering(({ description, ...record }) =>
      description === undefined ? record : { ...record, description: { text: description, language: null } },
    ),
  },
  {
    id: 'extra-fields',
    openPoint: 'OP-12',
    choice: 'times, links and parties',
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
    openPoint: 'OP-13',
    choice: '+00:00 at the end',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replace('Z', '+00:00') })),
  },
  {
    id: 'created-at-seconds',
    openPoint: 'OP-14',
    choice: 'seconds',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replace(/\.\d+Z/, 'Z') })),
  },
  {
    id: 'created-at-microseconds',
    openPoint: 'OP-14',
    choice: 'microseconds',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replace('Z', '000Z') })),
  },
  {
    id: 'default-currency-usd',
    openPoint: 'OP-33',
    choice: 'USD',
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) =>
        base.issueInvoice(call, { ...input, currency: input.currency ?? 'USD' }, number),
    })),
  },
  {
    id: 'one-currency',
    openPoint: 'OP-34',
    choice: 'only one, and 400 for the others',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        if (input.currency && input.currency !== 'EUR') throw rejections.invalidInvoice('currency: EUR only');
        return input;
      },
    })),
  },
  {
    id: 'currency-upper-cased',
    openPoint: 'OP-35',
    choice: 'accepted and shown in upper case',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const { currency } = call.body;
        const understood = typeof currency === 'string' && /^[a-z]{3}$/.test(currency);
        return base.validateCreate(
          understood ? { ...call, body: { ...call.body, currency: currency.toUpperCase() } } : call,
        );
      },
    })),
  },
  {
    id: 'amount-whole-accepted',
    openPoint: 'OP-36',
    choice: 'accepted and completed with .00',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const { amount } = call.body;
        const whole = typeof amount === 'string' && /^[1-9]\d{0,9}$/.test(amount);
        return base.validateCreate(whole ? { ...call, body: { ...call.body, amount: `${amount}.00` } } : call);
      },
    })),
  },
  {
    id: 'amount-capped',
    openPoint: 'OP-38',
    choice: '1000.00',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        if (Number(input.amount) > 1_000) throw rejections.invalidInvoice('amount: at most 1000.00');
        return input;
      },
    })),
  },
  {
    id: 'amount-at-least',
    openPoint: 'OP-38',
    choice: '100.00 at least',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        if (Number(input.amount) < 100) throw rejections.invalidInvoice('amount: at least 100.00');
        return input;
      },
    })),
  },
  {
    id: 'amount-unlimited',
    openPoint: 'OP-38',
    choice: 'none, and every digit is kept',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const { amount } = call.body;
        if (typeof amount !== 'string' || !/^\d{14,20}\.\d\d$/.test(amount)) return base.validateCreate(call);
        return { ...base.validateCreate({ ...call, body: { ...call.body, amount: '1.00' } }), amount };
      },
    })),
  },
  {
    id: 'nulls-as-absent',
    openPoint: 'OP-39',
    choice: 'yes',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const given = Object.entries(call.body).filter(
          ([name, value]) => value !== null || !['currency', 'description', 'requestId'].includes(name),
        );
        return base.validateCreate({ ...call, body: Object.fromEntries(given) });
      },
    })),
  },
  {
    id: 'due-date-not-past',
    openPoint: 'OP-40',
    choice: 'none in the past, none more than a year ahead',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        const days = (Date.parse(input.dueDate) - Date.now()) / 86_400_000;
        if (days < -1 || days > 366) throw rejections.invalidInvoice('dueDate: within a year');
        return input;
      },
    })),
  },
  {
    id: 'due-in-45-days',
    openPoint: 'OP-40',
    choice: 'none within 45 days',
    rules: dueFromDay(45),
  },
  {
    id: 'due-in-90-days',
    openPoint: 'OP-40',
    choice: 'none within 90 days',
    rules: dueFromDay(90),
  },
  {
    id: 'due-at-month-end',
    openPoint: 'OP-40',
    choice: 'only the last day of a month, 412 with a code of its own for others',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        const dayAfter = new Date(Date.parse(input.dueDate) + 86_400_000);
        if (dayAfter.getUTCDate() !== 1)
          throw new RejectionError(412, 'DUE004', 'Invoices are due at the end of a month');
        return input;
      },
    })),
  },
];
