import { expect, test } from 'vitest';
import { walkArbitrary } from '../../../helpers/lifecycle/walks/random-walk-search.ts';

test('a given walk can be reduced step by step', () => {
  const given = [
    { invoice: 0, onwards: true, pick: 3 },
    { invoice: 2, onwards: false, pick: 0 },
  ];
  expect(walkArbitrary.canShrinkWithoutContext(given)).toBe(true);
  const smaller = [...walkArbitrary.shrink(given, undefined)].map(({ value }) => value);
  expect(smaller).toContainEqual([given[1]]);
});
