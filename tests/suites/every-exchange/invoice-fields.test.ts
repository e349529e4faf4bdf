import { invoiceFieldRules } from '../../../suites/every-exchange/invoice-fields.ts';
import { invoice, listAnswer, received } from '../../engine/support/responses.ts';
import { type Cases, tryEach } from './rule-cases.ts';

function shown(record: unknown) {
  return received({ operation: 'read', json: record });
}

const created = (json: unknown) => received({ operation: 'create', method: 'POST', status: 201, json });

function without(name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = invoice();
  return rest;
}

/** The cases of one field: only its valid values differ. */
function field(name: string, right: unknown[], wrong: unknown[]): Cases {
  const each = (values: unknown[]) =>
    Object.fromEntries(values.map((value) => [JSON.stringify(value), shown(invoice({ [name]: value }))]));
  return {
    keeps: {
      ...each(right),
      'a wrapped record': received({ operation: 'create', status: 201, json: { data: invoice() } }),
      'every item of a list': listAnswer([invoice(), invoice({ id: 'inv-2' })]),
    },
    breaks: {
      ...Object.fromEntries(wrong.map((value) => [JSON.stringify(value), created(invoice({ [name]: value }))])),
      'a list item without the field': listAnswer([invoice(), without(name)]),
      'a wrong value in the last of many items': listAnswer([invoice(), invoice({ [name]: wrong[0] })]),
      'a wrong value in a wrapped record': created({ data: invoice({ [name]: wrong[0] }) }),
    },
    silent: {
      'a response without the field': shown(without(name)),
      'a read with an object in place of the value': shown(invoice({ [name]: { value: 'x' } })),
      'a receipt of an action, with an id of its own': received({
        operation: 'settle',
        path: '/api/v1/invoices/inv-1/settle',
        json: invoice({ id: 'pay-1', [name]: wrong[0] }),
      }),
      'a rejection': received({ status: 409, json: invoice({ [name]: wrong[0] }) }),
      'an empty list': listAnswer([]),
      'an empty body': received({ status: 204 }),
      'a response that is not an invoice': received({ operation: 'treasuryBalance', json: { [name]: wrong[0] } }),
    },
  };
}

const noText: unknown[] = [7, null, '', {}, ['x'], true];
const production = { actor: 'production' } as const;

/** Accepted with wrong credentials or with another environment: the environment of the record is unknown. */
const strangers = (record: object) => ({
  'a response to wrong credentials': [shown(invoice()), received({ actor: null, json: record })],
  'a response to a request for another environment': [
    shown(invoice()),
    received({ asked: [['X-Environment', 'PRODUCTION']], json: record }),
  ],
});
tryEach(invoiceFieldRules, {
  'REC-01.id': field('id', ['1', '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab', 'inv_abc'], noText),
  'REC-02.invoice-number': field('invoiceNumber', ['INV-1', '2030/0001'], noText),
  'REC-03.status': field(
    'status',
    ['DRAFT', 'SUBMITTED', 'APPROVED', 'DISPUTED', 'SETTLED', 'CANCELLED'],
    ['draft', 'PAID', 'OPEN', '', null, 1],
  ),
  'REC-04.amount': field(
    'amount',
    ['100.00', '0.01', '99999999999999999999.99', '-1.00'],
    [100, 100.5, '100', '100.0', '100.000', '1,00', '1e2', ' 1.00', '1.00 EUR', null],
  ),
  'REC-05.currency': field('currency', ['EUR', 'USD'], ['eur', 'EURO', 'EU', '€', '', null, 978]),
  'REC-06.buyer': field('buyerOrganizationId', ['org-1'], noText),
  'REC-07.seller': field('sellerOrganizationId', ['org-1'], noText),
  'REC-08.due-date': field(
    'dueDate',
    ['2030-01-31', '2028-02-29'],
    ['2030-02-30', '2030-1-1', '2030-01-31T00:00:00Z', '31.01.2030', 1893456000, null],
  ),
  'REC-09.created-at': field(
    'createdAt',
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.123Z', '2030-01-01T00:00:00+00:00'],
    ['2030-01-01T00:00:00', '2030-01-01T00:00:00+02:00', '2030-01-01', 1893456000000, null],
  ),
  'REC-10.stable': {
    keeps: {
      'the first response': shown(invoice()),
      'the same record twice': [shown(invoice()), listAnswer([invoice()])],
      'a new status, amount or due date': [
        shown(invoice()),
        shown(invoice({ status: 'SUBMITTED', amount: '2.00', dueDate: '2031-01-01' })),
      ],
      'the same time with fewer digits': [
        shown(invoice({ createdAt: '2029-12-01T10:00:00.123Z' })),
        shown(invoice({ createdAt: '2029-12-01T10:00:00Z' })),
      ],
      'a response that omits a field': [shown(invoice()), shown(without('createdAt')), shown(invoice())],
      'another invoice': [shown(invoice()), shown(invoice({ id: 'inv-2', invoiceNumber: 'INV-0002' }))],
      'a production invoice with the same id': [
        shown(invoice()),
        received({ ...production, json: invoice({ currency: 'USD' }) }),
      ],
    },
    breaks: {
      'another invoiceNumber': [shown(invoice()), shown(invoice({ invoiceNumber: 'INV-0009' }))],
      'another currency': [shown(invoice()), listAnswer([invoice({ currency: 'USD' })])],
      'a later createdAt': [shown(invoice()), shown(invoice({ createdAt: '2029-12-01T10:00:05.000Z' }))],
      'a change after a response without the field': [
        shown(invoice()),
        shown(without('currency')),
        shown(invoice({ currency: 'USD' })),
      ],
    },
    silent: {
      'a response without invoices': received({ status: 204 }),
      'an empty list': listAnswer([]),
      ...strangers(invoice({ currency: 'USD' })),
    },
  },
  'REC-16.listed': {
    keeps: {
      'the same record twice': [listAnswer([invoice()]), listAnswer([invoice({ status: 'SUBMITTED' })])],
      'the same time with fewer digits': [
        listAnswer([invoice({ createdAt: '2029-12-01T10:00:00.123Z' })]),
        listAnswer([invoice({ createdAt: '2029-12-01T10:00:00Z' })]),
      ],
      'another number or amount': [
        listAnswer([invoice()]),
        listAnswer([invoice({ invoiceNumber: 'INV-0009', amount: '2.00' })]),
      ],
    },
    breaks: {
      'another currency': [listAnswer([invoice()]), listAnswer([invoice({ currency: 'USD' })])],
      'a createdAt one millisecond later': [
        listAnswer([invoice({ createdAt: '2029-12-01T10:00:00.123Z' })]),
        listAnswer([invoice({ createdAt: '2029-12-01T10:00:00.124Z' })]),
      ],
    },
    silent: { 'a response that is not a list': shown(invoice()), 'an empty list': listAnswer([]) },
  },
  'REC-06.same-buyer': {
    keeps: {
      'the same buyer in another case': [
        shown(invoice({ buyerOrganizationId: 'org-ab' })),
        shown(invoice({ buyerOrganizationId: 'ORG-AB' })),
      ],
      'another seller': [shown(invoice()), shown(invoice({ sellerOrganizationId: 'org-x' }))],
    },
    breaks: { 'another buyer': [shown(invoice()), listAnswer([invoice({ buyerOrganizationId: 'org-x' })])] },
    silent: { 'a response without invoices': received({ status: 204 }) },
  },
  'REC-07.same-seller': {
    keeps: { 'another buyer': [shown(invoice()), shown(invoice({ buyerOrganizationId: 'org-x' }))] },
    breaks: { 'another seller': [shown(invoice()), listAnswer([invoice({ sellerOrganizationId: 'org-x' })])] },
    silent: { 'a response without invoices': received({ status: 204 }) },
  },
});
