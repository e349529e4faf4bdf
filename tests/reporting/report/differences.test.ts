import { describe, expect, it, test } from 'vitest';
import { differencesOf } from '../../../reporting/reproduction/differences.ts';
import { exchange, response } from '../journal/journal-builders.ts';

const answer = (body: unknown, status = 200) => ({
  ...exchange('e2'),
  response: response(JSON.stringify(body), status),
});
const original = { ...exchange('e1'), response: response('{"amount":"1.00","items":[{"a":1}],"gone":"1"}', 200) };
const enveloped = {
  ...exchange('e3'),
  response: response('{"requestId":"a","data":{"id":"1","status":"DRAFT"}}', 200),
};
const find = (id: string) => ({ e1: original, e3: enveloped })[id];

describe('the differences of a deciding response', () => {
  it.each([
    ['a status', { status: [409] }, answer({}), [{ path: 'status', expected: '409', actual: '200' }]],
    [
      'a success',
      { status: 'success' as const },
      answer({}, 500),
      [{ path: 'status', expected: '200 to 299', actual: '500' }],
    ],
    ['a code', { code: 'INV004' }, answer({ code: 'X' }), [{ path: '.code', expected: '"INV004"', actual: '"X"' }]],
    ['a missing code', { code: 'INV004' }, answer([]), [{ path: '.code', expected: '"INV004"', actual: null }]],
    [
      'a field with a path',
      { fields: [{ path: ['items', 1, 'status'], value: 'DRAFT' }] },
      answer({ items: [{ status: 'DRAFT' }, { status: 'PAID' }] }),
      [{ path: '.items[1].status', expected: '"DRAFT"', actual: '"PAID"' }],
    ],
    ['a field as expected', { fields: [{ path: ['limit'], value: 3 }] }, answer({ limit: 3 }), []],
    [
      'a missing field',
      { fields: [{ path: ['a', 'id'] }] },
      answer({ a: 1 }),
      [{ path: '.a.id', expected: null, actual: null }],
    ],
    [
      'a field without an expected value',
      { fields: [{ path: ['x'] }] },
      answer({ x: [] }),
      [{ path: '.x', expected: null, actual: '[]' }],
    ],
    [
      'a wrong status only, because the body then has another meaning',
      { status: 'success' as const, fields: [{ path: ['status'], value: 'DRAFT' }] },
      answer({ status: 404 }, 404),
      [{ path: 'status', expected: '200 to 299', actual: '404' }],
    ],
    [
      'a field of the invoice, and not of the envelope, in the response to a replay',
      { sameAs: 'e3' },
      answer({ requestId: 'b', invoice: { id: '2', status: 'DRAFT' } }),
      [{ path: '.invoice.id', expected: '"1"', actual: '"2"' }],
    ],
    [
      'each member that another response does not repeat',
      { sameAs: 'e1' },
      answer({ items: [{ a: 2 }], amount: '1.00', extra: null }),
      [
        { path: '.items[0].a', expected: '1', actual: '2' },
        { path: '.gone', expected: '"1"', actual: null },
        { path: '.extra', expected: null, actual: 'null' },
      ],
    ],
  ])('are the place of %s', (_, expectation, deciding, differences) => {
    expect(differencesOf(expectation, deciding, find)).toEqual(differences);
  });

  test('do not fail on a deeply nested, truncated or malformed body', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const nested = { ...exchange('e2'), response: response(`{"a":${deep}}`) };
    const field = { fields: [{ path: ['a'] }] };
    expect(differencesOf(field, nested, find)).toEqual([{ path: '.a', expected: null, actual: '…' }]);
    expect(differencesOf({ sameAs: 'e2' }, nested, () => nested)).not.toEqual([]);
    const cut = {
      ...exchange('e2'),
      response: { status: 200, headers: [], body: '{"a":1}', bytes: 7, truncated: true },
    };
    expect(differencesOf(field, cut, find)).toEqual([]);
    expect(differencesOf({ code: 'INV004' }, { ...exchange('e2'), response: response('<html>') }, find)).toEqual([]);
  });

  test('are empty without an expectation, a response, or a difference', () => {
    expect(differencesOf(null, answer({}), find)).toEqual([]);
    expect(differencesOf({ status: [409] }, { ...answer({}), response: null }, find)).toEqual([]);
    expect(differencesOf({ sameAs: 'e1' }, { ...original, id: 'e2' }, find)).toEqual([]);
  });
});
