import { expect, test } from 'vitest';
import { isWaitOver } from '../../../helpers/webhooks/subscriptions.ts';

test.each([
  ['continues before the time limit', -1, Number.POSITIVE_INFINITY, 5000, false],
  ['continues while other deliveries arrive', 3000, 200, 5000, false],
  ['ends when no delivery arrives any more', 10, 1600, 5000, true],
  ['ends if no delivery ever arrived', 10, Number.POSITIVE_INFINITY, 5000, true],
  ['ends if deliveries never stop', 25_001, 10, 5000, true],
  ['ends at once if its limit is short, even while others arrive', 10, 10, 1500, true],
] as const)('the wait for a delivery %s', (_, lateMs, idleMs, withinMs, over) => {
  expect(isWaitOver(lateMs, idleMs, withinMs)).toBe(over);
});
