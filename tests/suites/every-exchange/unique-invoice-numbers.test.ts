import { uniqueInvoiceNumberRules } from '../../../suites/every-exchange/unique-invoice-numbers.ts';
import { invoice, listAnswer, received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

function shown(record: unknown) {
  return received({ operation: 'read', json: record });
}

const created = (json: unknown) => received({ operation: 'create', method: 'POST', status: 201, json });

function without(name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = invoice();
  return rest;
}

const production = { actor: 'production' } as const;

const second = invoice({ id: 'inv-2' });
const strangers = (record: object) => ({
  'a response to wrong credentials': [shown(invoice()), received({ actor: null, json: record })],
  'a response to a request for another environment': [
    shown(invoice()),
    received({ asked: [['X-Environment', 'PRODUCTION']], json: record }),
  ],
});
const deletion = (id: string, sentAt = 0) =>
  received({ operation: 'delete', method: 'DELETE', path: `/api/v1/invoices/${id}`, status: 204, sentAt });

tryEach(uniqueInvoiceNumberRules, {
  'REC-11.unique': {
    keeps: {
      'different numbers': listAnswer([invoice(), invoice({ id: 'inv-2', invoiceNumber: 'INV-0002' })]),
      'the same invoice twice': [shown(invoice()), shown(invoice())],
      'the same number on another connection': listAnswer([
        invoice(),
        invoice({ id: 'inv-2', buyerOrganizationId: 'org-x' }),
      ]),
      'the number of a deleted draft': [created(invoice()), deletion('inv-1'), created(second)],
      'the number of a draft whose deletion was requested later': [
        created(invoice()),
        created(second),
        deletion('inv-1'),
        shown(second),
      ],
      'the number of a draft that another user may have deleted': [shown(invoice()), created(second)],
      'a deleted draft in a late response': [
        created(invoice()),
        deletion('inv-1'),
        created(second),
        shown(invoice()),
        shown(second),
      ],
      'the same invoice with its environment named': [
        shown(invoice()),
        received({ asked: [['x-environment', 'SANDBOX']], json: invoice() }),
      ],
      'the same number in production': [shown(invoice()), received({ ...production, json: invoice({ id: 'inv-2' }) })],
    },
    breaks: {
      'one number for two invoices of a list': listAnswer([invoice(), invoice({ id: 'inv-2' })]),
      'one number for two invoices of two responses': [created(invoice()), created(second)],
      'the number of an older invoice that cannot be deleted': [shown(invoice({ status: 'SETTLED' })), created(second)],
      'one number for two invoices after the deletion of one with a longer id': [
        created(invoice({ id: '7' })),
        deletion('17'),
        created(invoice({ id: '8' })),
      ],
      'the number of an older draft that still exists': [
        shown(invoice()),
        created(second),
        received({ operation: 'read', json: invoice(), sentAt: Number.POSITIVE_INFINITY }),
      ],
      'one number for two drafts, even if one is deleted at the end': [
        created(invoice()),
        created(second),
        deletion('inv-1', Number.POSITIVE_INFINITY),
      ],
    },
    silent: {
      'a response without numbers': shown(without('invoiceNumber')),
      'a response without ids': shown(without('id')),
      'an empty body': received({ status: 204 }),
      ...strangers(second),
    },
  },
});
