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
  'an answer to wrong credentials': [shown(invoice()), received({ actor: null, json: record })],
  'an answer to another environment than that of the key': [
    shown(invoice()),
    received({ asked: [['X-Environment', 'PRODUCTION']], json: record }),
  ],
});
const deletion = (id: string, sentAt = 0) =>
  received({ operation: 'delete', method: 'DELETE', path: `/api/v1/invoices/${id}`, status: 204, sentAt });

tryEach(uniqueInvoiceNumberRules, {
  'REC-11.unique': {
    keeps: {
      'numbers that differ': listAnswer([invoice(), invoice({ id: 'inv-2', invoiceNumber: 'INV-0002' })]),
      'the same invoice twice': [shown(invoice()), shown(invoice())],
      'the same number on another connection': listAnswer([
        invoice(),
        invoice({ id: 'inv-2', buyerOrganizationId: 'org-x' }),
      ]),
      'the number of a draft that was deleted before': [created(invoice()), deletion('inv-1'), created(second)],
      'the number of a draft whose deletion is answered later': [
        created(invoice()),
        created(second),
        deletion('inv-1'),
        shown(second),
      ],
      'the number of a draft that somebody else may have deleted': [shown(invoice()), created(second)],
      'a deleted draft that a late answer still shows': [
        created(invoice()),
        deletion('inv-1'),
        created(second),
        shown(invoice()),
        shown(second),
      ],
      'the same number where the own environment is named': [
        shown(invoice()),
        received({ asked: [['x-environment', 'SANDBOX']], json: invoice() }),
      ],
      'the same number in production': [shown(invoice()), received({ ...production, json: invoice({ id: 'inv-2' }) })],
    },
    breaks: {
      'one number for two invoices of a list': listAnswer([invoice(), invoice({ id: 'inv-2' })]),
      'one number for two invoices of two answers': [created(invoice()), created(second)],
      'the number of an older invoice that nobody can delete': [shown(invoice({ status: 'SETTLED' })), created(second)],
      'one number for two invoices, when another one with a longer id is deleted': [
        created(invoice({ id: '7' })),
        deletion('17'),
        created(invoice({ id: '8' })),
      ],
      'the number of an older draft that is seen again': [
        shown(invoice()),
        created(second),
        received({ operation: 'read', json: invoice(), sentAt: Number.POSITIVE_INFINITY }),
      ],
      'one number for two drafts of which one is deleted in the end': [
        created(invoice()),
        created(second),
        deletion('inv-1', Number.POSITIVE_INFINITY),
      ],
    },
    silent: {
      'an answer without numbers': shown(without('invoiceNumber')),
      'an answer without ids': shown(without('id')),
      'an empty body': received({ status: 204 }),
      ...strangers(second),
    },
  },
});
