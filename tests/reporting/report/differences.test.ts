import { describe, expect, it, test } from 'vitest';
import { differencesOf } from '../../../reporting/report/differences.ts';
import { exchange, response } from '../journal/journal-builders.ts';

const answer = (body: unknown, status = 200) => ({
  ...exchange('e2'),
  response: response(JSON.stringify(body), status),
});
const original = { ...exchange('e1'), response: response('{"id":"1","amount":"1.00","items":[{"a":1}]}', 200) };
const find = (id: string) => (id === 'e1' ? original : undefined);

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
      'a field of the first record in an envelope',
      { fields: [{ name: 'status', value: 'DRAFT' }] },
      answer({ invoice: { status: 'PAID' } }),
      [{ path: '.invoice.status', expected: '"DRAFT"', actual: '"PAID"' }],
    ],
    [
      'a field of the record with an id',
      { fields: [{ name: 'status', of: '2', value: 'DRAFT' }] },
      answer({
        items: [
          { id: '1', status: 'DRAFT' },
          { id: '2', status: 'PAID' },
        ],
      }),
      [{ path: '.items[1].status', expected: '"DRAFT"', actual: '"PAID"' }],
    ],
    ['a field as expected', { fields: [{ name: 'limit', value: 3 }] }, answer({ limit: 3 }), []],
    [
      'a missing field',
      { fields: [{ name: 'id' }] },
      answer({ a: 1 }),
      [{ path: '.id', expected: null, actual: null }],
    ],
    [
      'a field without an expected value, wherever it is',
      { fields: [{ name: 'x' }] },
      answer({ a: { x: 1 }, b: [{ x: 2 }] }),
      [
        { path: '.a.x', expected: null, actual: '1' },
        { path: '.b[0].x', expected: null, actual: '2' },
      ],
    ],
    [
      'each member that another response does not repeat',
      { sameAs: 'e1' },
      answer({ items: [{ a: 2 }], amount: '1.00', extra: null }, 201),
      [
        { path: 'status', expected: '200', actual: '201' },
        { path: '.id', expected: '"1"', actual: null },
        { path: '.items[0].a', expected: '1', actual: '2' },
        { path: '.extra', expected: null, actual: 'null' },
      ],
    ],
  ])('are the place of %s', (_, expectation, deciding, differences) => {
    expect(differencesOf(expectation, deciding, find)).toEqual(differences);
  });

  test('are empty without an expectation, a response, or a difference', () => {
    expect(differencesOf(null, answer({}), find)).toEqual([]);
    expect(differencesOf({ status: [409] }, { ...answer({}), response: null }, find)).toEqual([]);
    expect(differencesOf({ sameAs: 'e1' }, { ...original, id: 'e2' }, find)).toEqual([]);
  });
});
