import type { ApiResponse } from '../../../engine/model/messages.ts';
import { finalStateRules } from '../../../suites/every-exchange/final-states.ts';
import { invoice, type Received, received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

/** A response some time after the first one. The limit of the target file is one second. */
const shown = (status: string, sentAt: number, more: Received = {}): ApiResponse =>
  received({ json: invoice({ status }), sentAt, ...more });
const listed = (status: string, sentAt: number): ApiResponse =>
  received({
    operation: 'list',
    path: '/api/v1/invoices',
    json: { items: [invoice({ status })], total: 1, totalPages: 1, page: 0, limit: 20 },
    sentAt,
  });
const production = { actor: 'production' } as const;

tryEach(finalStateRules, {
  'LIFE-12.every-response': {
    keeps: {
      'a final invoice': shown('SETTLED', 0),
      'a final invoice that stays': [shown('CANCELLED', 0), listed('CANCELLED', 9000)],
      'a stale read shortly afterwards': [shown('SETTLED', 0), shown('APPROVED', 1900)],
      'a read that shows the final state again': [shown('SETTLED', 0), shown('APPROVED', 3000), shown('SETTLED', 3100)],
      'a list that arrives before one that was sent earlier': [
        listed('SETTLED', 0),
        listed('APPROVED', 3010),
        listed('SETTLED', 3000),
        listed('SETTLED', 5000),
      ],
      'the earlier states': [shown('SUBMITTED', 0), shown('CANCELLED', 9000)],
      'another invoice': [
        shown('SETTLED', 0),
        received({ json: invoice({ id: 'inv-2', status: 'APPROVED' }), sentAt: 9000 }),
        shown('SETTLED', 9000),
      ],
    },
    breaks: {
      'a SETTLED invoice that is APPROVED again': [shown('SETTLED', 0), shown('APPROVED', 3000)],
      'a CANCELLED invoice that is SUBMITTED again': [shown('CANCELLED', 0), shown('SUBMITTED', 3000)],
      'a SETTLED invoice that is CANCELLED': [shown('SETTLED', 0), shown('CANCELLED', 3000)],
      'a list that shows the earlier state': [shown('SETTLED', 0), listed('APPROVED', 3000), shown('SETTLED', 3100)],
      'a production invoice': [shown('SETTLED', 0, production), shown('DRAFT', 3000, production)],
    },
    silent: {
      'an invoice in another state': shown('APPROVED', 0),
      'a replay of an earlier response': [
        shown('CANCELLED', 0),
        received({ operation: 'create', method: 'POST', json: invoice({ status: 'DRAFT' }), sentAt: 9000 }),
      ],
      'another environment': [shown('SETTLED', 0), shown('DRAFT', 9000, production)],
      'an invoice after a reset': [
        shown('SETTLED', 0),
        received({ operation: 'reset', method: 'POST', status: 200, json: {}, sentAt: 100 }),
        shown('DRAFT', 9000),
      ],
      'a rejection': [shown('SETTLED', 0), received({ status: 409, json: invoice({ status: 'DRAFT' }), sentAt: 9000 })],
    },
  },
});
