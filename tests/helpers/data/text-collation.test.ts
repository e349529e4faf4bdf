import { describe, expect, test } from 'vitest';
import { firstOutOfOrder, isOrderedAsText } from '../../../helpers/data/text-collation.ts';

describe('texts are sorted', () => {
  // Each list is in the named order only.
  test.each([
    ['by code point', ['A', 'A', 'AB', 'B', 'a', 'a']],
    ['by letter', ['a', 'a', 'A', 'a-10', 'a-2', 'a1', 'B']],
    ['by the numbers in them', ['a', 'A', 'a-2', 'a-2', 'a-10', 'a1', 'B']],
    ['without case and punctuation', ['a-10', 'A1-1', 'a1-2', 'a-12', 'A2', 'a-2', 'B']],
    ['by the numbers in them, without case and punctuation', ['A2', 'a-2', 'A-10', 'a-11', 'B']],
    ['by length, then by code point', ['B', 'B', 'b', 'AA', 'AA', 'AB', 'AAA']],
    [
      'as uniqueidentifier of SQL Server',
      [
        'FF000000-0000-0000-0000-000000000001',
        '00000001-0000-0000-0000-000000000001',
        '00000000-00ff-0000-0000-000000000001',
        '00000000-0000-0000-0001-000000000001',
        '00000000-0000-0000-0000-000000000002',
      ],
    ],
    ['if there is one', ['a']],
    ['if there are none', []],
  ])('%s', (_, texts) => {
    expect(isOrderedAsText(texts, 'asc')).toBe(true);
    expect(isOrderedAsText(texts.toReversed(), 'desc')).toBe(true);
  });

  test.each([
    ['asc', ['a', 'b', 'c'].toReversed()],
    ['desc', ['a', 'b', 'c']],
    ['asc', ['b', 'c', 'a', 'd']],
    // Each pair is in some order, but no order fits all of them.
    ['asc', ['AA', 'B', 'AAA']],
    ['asc', ['c', 'aa', 'b']],
  ] as const)('only if one order fits all of them, which excludes %s %j', (direction, texts) => {
    expect(isOrderedAsText(texts, direction)).toBe(false);
  });
});

test('the first text out of order is that of the collation that holds longest', () => {
  expect(firstOutOfOrder(['b', 'c', 'a', 'd'], 'asc')).toBe(1);
  expect(firstOutOfOrder(['a2', 'a10', 'b', 'a3'], 'asc')).toBe(2);
  expect(firstOutOfOrder(['a2', 'a10'], 'asc')).toBeNull();
});
