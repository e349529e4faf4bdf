import { listEnvelopeRules } from '../../../suites/every-exchange/list-envelope.ts';
import { invoice, listAnswer, received } from '../../engine/support/responses.ts';
import { type Cases, tryEach } from './rule-cases.ts';

const one = [invoice()];
const many = (count: number) => Array.from({ length: count }, (_, at) => invoice({ id: `inv-${at}` }));
const at = (query: string) => ({ path: `/api/v1/invoices?${query}` });

const noList: Cases['silent'] = {
  'a rejected list': listAnswer(undefined, { total: 'x', page: 'x', limit: 'x', totalPages: 'x' }, { status: 400 }),
  'a response of another operation': received({ operation: 'create', json: { items: 'x' } }),
};

tryEach(listEnvelopeRules, {
  'LIST-01.items': {
    keeps: { records: listAnswer(one), 'no records': listAnswer([]) },
    breaks: {
      'a bare list': received({ operation: 'list', json: one }),
      'items that are not an array': listAnswer({}),
      'missing items': listAnswer(undefined),
      'an item that is not a record': listAnswer([invoice(), 'inv-2']),
      'a body that is not JSON': received({ operation: 'list', text: '<html>' }),
    },
    silent: noList,
  },
  'LIST-02.total': {
    keeps: {
      'a number': listAnswer(one),
      zero: listAnswer([]),
      'more than the page shows': listAnswer(one, { total: 50 }),
    },
    breaks: {
      'a text': listAnswer(one, { total: '1' }),
      'a fraction': listAnswer(one, { total: 1.5 }),
      'a negative number': listAnswer(one, { total: -1 }),
      nothing: listAnswer(one, { total: undefined }),
      null: listAnswer(one, { total: null }),
    },
    silent: noList,
  },
  'LIST-03.total-pages': {
    keeps: {
      'full pages': listAnswer(one, { total: 40, limit: 20, totalPages: 2 }),
      'one more page for one more record': listAnswer(one, { total: 41, limit: 20, totalPages: 3 }),
      'no page for an empty list': listAnswer([], { total: 0, totalPages: 0 }),
      'one page for an empty list': listAnswer([], { total: 0, totalPages: 1 }),
    },
    breaks: {
      'one page too few': listAnswer(one, { total: 41, limit: 20, totalPages: 2 }),
      'one page too many': listAnswer(one, { total: 40, limit: 20, totalPages: 3 }),
      'a text': listAnswer(one, { totalPages: '1' }),
      nothing: listAnswer(one, { totalPages: undefined }),
      'two pages for an empty list': listAnswer([], { total: 0, totalPages: 2 }),
    },
    silent: {
      ...noList,
      'a list with an invalid total': listAnswer(one, { total: null, totalPages: 7 }),
      'a list with an invalid limit': listAnswer(one, { limit: 0, totalPages: 7 }),
    },
  },
  'LIST-04.page': {
    keeps: {
      'the requested page': listAnswer(one, { page: 2, totalPages: 5 }, at('page=2')),
      'any page if none was requested': listAnswer(one, { page: 0 }),
      'the last page, with its number, past the end': listAnswer(one, { page: 4, totalPages: 5 }, at('page=99')),
      'any page for an invalid page number': listAnswer(one, { page: 0 }, at('page=-1')),
    },
    breaks: {
      'another page than the requested one': listAnswer(one, { page: 0, totalPages: 5 }, at('page=2')),
      'pages counted from one': listAnswer(one, { page: 1, totalPages: 5 }, at('page=0')),
      'a text': listAnswer(one, { page: '0' }, at('page=0')),
      nothing: listAnswer(one, { page: undefined }),
      'a negative number': listAnswer(one, { page: -1 }),
    },
    silent: noList,
  },
  'LIST-05.limit': {
    keeps: {
      'the default limit': listAnswer(one),
      one: listAnswer(one, { limit: 1 }),
      'the maximum': listAnswer(many(100), { limit: 100 }),
      'the maximum for a larger limit': listAnswer(many(100), { limit: 100 }, at('limit=1000')),
    },
    breaks: {
      'more than the maximum': listAnswer(one, { limit: 101 }),
      zero: listAnswer([], { limit: 0 }),
      'more items than the limit': listAnswer(many(3), { limit: 2 }),
      'a text': listAnswer(one, { limit: '20' }),
      nothing: listAnswer(one, { limit: undefined }),
    },
    silent: noList,
  },
  'LIST-08.once': {
    keeps: { 'different records': listAnswer(many(3)), 'one record': listAnswer(one) },
    breaks: {
      'the same record twice': listAnswer([...many(3), invoice({ id: 'inv-1' })]),
      'two consecutive records with the same id': listAnswer([...one, ...one]),
    },
    silent: {
      ...noList,
      'an empty list': listAnswer([]),
      'records without an id': listAnswer([{}, {}]),
    },
  },
  'LIST-09.only-own': {
    keeps: {
      'invoices of the seller': listAnswer(one),
      'invoices of the buyer': listAnswer(one, {}, { actor: 'buyer' }),
    },
    breaks: {
      'an invoice between two other organizations': listAnswer([
        invoice(),
        invoice({ sellerOrganizationId: 'org-x', buyerOrganizationId: 'org-y' }),
      ]),
      'a foreign invoice in the list of the outsider': listAnswer(one, {}, { actor: 'outsider' }),
    },
    silent: {
      ...noList,
      'an empty list': listAnswer([]),
      'the list of an unknown organization': listAnswer(one, {}, { actor: 'production' }),
      'a list without valid credentials': listAnswer(one, {}, { actor: null }),
    },
  },
});
