import { expect, test } from 'vitest';
import type { FullExchange } from '../../../reporting/journal/evidence.ts';
import { chainOf } from '../../../reporting/reproduction/chain.ts';
import { RecordedChanges } from '../../../reporting/reproduction/recorded-changes.ts';
import { exchange, request, response } from '../journal/journal-builders.ts';

const ID = '66959525-e1da-408e-9ea3-cbdb90854e3d';
const BASE = 'http://127.0.0.1:1/api/v1/invoices';

const step = (id: string, label: string, method: string, url: string, body: string): FullExchange => ({
  ...exchange(id, { label, ...request({ method, url }), response: response(body) }),
});

test('a link in the response to a creation is not an id', () => {
  const created = { id: ID, _links: { self: { href: `/api/v1/invoices/${ID}` } } };
  const steps = [
    step('x1', 'seller: create', 'POST', BASE, JSON.stringify(created)),
    step('x2', 'seller: submit', 'POST', `${BASE}/${ID}/submit`, JSON.stringify(created)),
    step('x3', 'buyer: approve', 'POST', `${BASE}/${ID}/approve`, '{}'),
  ] as const;
  const changes = new RecordedChanges();
  for (const each of steps) changes.add(each);
  const chain = chainOf({ deciding: steps[2], others: [], texts: [] }, changes);
  expect(chain.steps.map(({ id }) => id)).toEqual(['x1', 'x2', 'x3']);
  expect(chain.values).toEqual([{ value: ID, variable: 'ID_1', exchange: 'x1', path: '.id' }]);
});
