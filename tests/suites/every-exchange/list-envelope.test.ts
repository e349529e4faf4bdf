import { listEnvelopeRules } from '../../../suites/every-exchange/list-envelope.ts';
import { invoice, listAnswer, received } from '../../engine/support/responses.ts';
import { type Cases, tryEach } from './rule-cases.ts';

const one = [invoice()];
const many = (count: number) => Array.from({ length: count }, (_, at) => invoice({ id: `inv-${at}` }));
const at = (query: string) => ({ path: `/api/v1/invoices?${query}` });

const noList: Cases['silent'] = {
  'a refused list': listAnswer(undefined, { total: 'x', page: 'x', limit: 'x', totalPages: 'x' }, { status: 400 }),
  'an answer of another operation': received({ operation: 'create', json: { items: 'x' } }),
};

tryEach(listEnvelopeRules, {
  'LIST-01.items': {
    keeps: { records: listAnswer(one), 'no records': listAnswer([]) },
    breaks: {
      'a bare list': received({ operation: 'list', json: one }),
      'items that are no array': listAnswer({}),
      'items that are missing': listAnswer(undefined),
      'an item that is no record': listAnswer([invoice(), 'inv-2']),
      'a body that is no JSON': received({ operation: 'list', text: '<html>' }),
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
      'a page that is full': listAnswer(one, { total: 40, limit: 20, totalPages: 2 }),
      'one record more than the pages hold': listAnswer(one, { total: 41, limit: 20, totalPages: 3 }),
      'no page for nothing': listAnswer([], { total: 0, totalPages: 0 }),
      'one empty page for nothing': listAnswer([], { total: 0, totalPages: 1 }),
    },
    breaks: {
      'one page too few': listAnswer(one, { total: 41, limit: 20, totalPages: 2 }),
      'one page too many': listAnswer(one, { total: 40, limit: 20, totalPages: 3 }),
      'a text': listAnswer(one, { totalPages: '1' }),
      nothing: listAnswer(one, { totalPages: undefined }),
      'two pages for nothing': listAnswer([], { total: 0, totalPages: 2 }),
    },
    silent: {
      ...noList,
      'a list whose total is broken itself': listAnswer(one, { total: null, totalPages: 7 }),
      'a list whose limit is broken itself': listAnswer(one, { limit: 0, totalPages: 7 }),
    },
  },
  'LIST-04.page': {
    keeps: {
      'the page that was asked for': listAnswer(one, { page: 2, totalPages: 5 }, at('page=2')),
      'any page when none was asked for': listAnswer(one, { page: 0 }),
      'the last page for one past the end, when it says so': listAnswer(one, { page: 4, totalPages: 5 }, at('page=99')),
      'a page that was asked for in a way that is none': listAnswer(one, { page: 0 }, at('page=-1')),
    },
    breaks: {
      'another page than the one asked for': listAnswer(one, { page: 0, totalPages: 5 }, at('page=2')),
      'pages counted from one': listAnswer(one, { page: 1, totalPages: 5 }, at('page=0')),
      'a text': listAnswer(one, { page: '0' }, at('page=0')),
      nothing: listAnswer(one, { page: undefined }),
      'a negative number': listAnswer(one, { page: -1 }),
    },
    silent: noList,
  },
  'LIST-05.limit': {
    keeps: {
      'the usual one': listAnswer(one),
      one: listAnswer(one, { limit: 1 }),
      'a hundred': listAnswer(many(100), { limit: 100 }),
      'one that was cut to the maximum': listAnswer(many(100), { limit: 100 }, at('limit=1000')),
    },
    breaks: {
      'more than a hundred': listAnswer(one, { limit: 101 }),
      zero: listAnswer([], { limit: 0 }),
      'more items than that': listAnswer(many(3), { limit: 2 }),
      'a text': listAnswer(one, { limit: '20' }),
      nothing: listAnswer(one, { limit: undefined }),
    },
    silent: noList,
  },
  'LIST-08.once': {
    keeps: { 'different records': listAnswer(many(3)), 'one record': listAnswer(one) },
    breaks: {
      'the same record twice': listAnswer([...many(3), invoice({ id: 'inv-1' })]),
      'two records in a row with one id': listAnswer([...one, ...one]),
    },
    silent: {
      ...noList,
      'an empty list': listAnswer([]),
      'records without an id, which is judged elsewhere': listAnswer([{}, {}]),
    },
  },
  'LIST-09.only-own': {
    keeps: {
      'invoices that the seller sells': listAnswer(one),
      'invoices that the buyer buys': listAnswer(one, {}, { actor: 'buyer' }),
    },
    breaks: {
      'an invoice between others': listAnswer([
        invoice(),
        invoice({ sellerOrganizationId: 'org-x', buyerOrganizationId: 'org-y' }),
      ]),
      'an invoice of others in the list of the outsider': listAnswer(one, {}, { actor: 'outsider' }),
    },
    silent: {
      ...noList,
      'an empty list': listAnswer([]),
      'the list of an organization that is not known': listAnswer(one, {}, { actor: 'production' }),
      'a list that came without valid credentials': listAnswer(one, {}, { actor: null }),
    },
  },
});
