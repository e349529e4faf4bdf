import { expect, test } from 'vitest';
import { isWaitOver } from '../../../helpers/webhooks/subscriptions.ts';

test.each([
  ['before its time has passed', -1, Number.POSITIVE_INFINITY, 5000, false],
  ['when others are still delivered', 3000, 200, 5000, false],
  ['when nothing is delivered any more', 10, 1600, 5000, true],
  ['when nothing was ever delivered', 10, Number.POSITIVE_INFINITY, 5000, true],
  ['when the queue has no end', 25_001, 10, 5000, true],
  ['of a short look, whatever else is delivered', 10, 10, 1500, true],
] as const)('the wait for a delivery %s', (_, lateMs, idleMs, withinMs, over) => {
  expect(isWaitOver(lateMs, idleMs, withinMs)).toBe(over);
});
