import { expect, test } from 'vitest';
import { idsInRequest, idsNamedIn } from '../../../engine/records/request-ids.ts';

const asked = (request: string, sent: string | null = null) => idsInRequest({ requestLine: request, sentBody: sent });

test.each([
  ['in its path', asked('GET /api/v1/invoices/17'), '17'],
  ['before a verb', asked('POST /api/v1/invoices/17:cancel'), '17'],
  ['in its query', asked('GET /api/v1/invoice?id=17&full=1'), '17'],
  ['encoded', asked('GET /api/v1/invoices/a%2Fb%20c'), 'a/b c'],
  ['encoded twice', asked('GET /api/v1/invoices/50%25'), '50%25'],
  ['in its body', asked('POST /actions', '{"invoice":"17"}'), '17'],
])('an id is named %s', (_, names, id) => {
  expect(names(id)).toBe(true);
});

test.each([
  ['a part of another one', asked('DELETE /api/v1/invoices/170'), '17'],
  ['the end of another one', asked('DELETE /api/v1/invoices/117'), '17'],
  ['a part of the path of every request', asked('DELETE /api/v1/invoices/17'), '1'],
  ['a part of an amount', asked('POST /api/v1/invoices', '{"amount":"17.00"}'), '17'],
  ['empty', asked('GET /api/v1/invoices/'), ''],
  ['missing, in a path with a percent sign that is no escape', asked('GET /api/v1/invoices/%'), '17'],
])('an id is not named when it is %s', (_, names, id) => {
  expect(names(id)).toBe(false);
});

test.each([
  ['as a segment of its path', 'DELETE /api/v1/invoices/17', ['17']],
  ['before a verb', 'POST /api/v1/invoices/a-7:cancel', ['a-7']],
  ['that contains slashes', 'DELETE /api/v1/invoices/eu/17/x', ['eu/17/x']],
  ['not at all', 'GET /api/v1/invoices', []],
])('finds among many ids the one that a request names %s', (_, request, named) => {
  const ids = new Map(['1', '17', 'a-7', 'eu/17/x', '170'].map((id) => [id, true]));
  if (request.includes('eu/')) ids.delete('17');
  expect(idsNamedIn(ids, { requestLine: request, sentBody: null })).toEqual(named);
});

test('finds among many ids those that a body names', () => {
  const ids = new Map([
    ['17', true],
    ['170', true],
  ]);
  expect(idsNamedIn(ids, { requestLine: 'POST /actions', sentBody: '{"invoice":"17"}' })).toEqual(['17']);
});
