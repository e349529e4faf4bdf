import { describe, expect, test } from 'vitest';
import { orderedAsText } from '../../helpers/text-order.ts';

describe('texts are in order', () => {
  test.each([
    ['by code point', ['A', 'B', 'a']],
    ['by code point, equal ones beside each other', ['A', 'A', 'B', 'a', 'a']],
    ['by letter', ['a', 'A', 'b', 'B']],
    ['by the numbers in them', ['INV-2', 'INV-10', 'INV-100']],
    ['without regard to case and signs', ['a-1', 'A2', 'a-3']],
    ['by the numbers in them, without regard to case and signs', ['a-2', 'A10', 'a-11']],
    ['by length, then by code point', ['B', 'b', 'AA', 'AB', 'AAA']],
    ['of which there is one', ['a']],
    ['of which there is none', []],
  ])('%s', (_, texts) => {
    expect(orderedAsText(texts, 'asc')).toBe(true);
    expect(orderedAsText(texts.toReversed(), 'desc')).toBe(true);
  });

  test.each([
    ['asc', ['a', 'b', 'c'].toReversed()],
    ['desc', ['a', 'b', 'c']],
    ['asc', ['b', 'c', 'a', 'd']],
    // Each pair is in some order, and not all of them in one.
    ['asc', ['AA', 'B', 'AAA']],
    ['asc', ['c', 'aa', 'b']],
  ] as const)('only when one order holds for all of them: not %s %j', (direction, texts) => {
    expect(orderedAsText(texts, direction)).toBe(false);
  });
});
