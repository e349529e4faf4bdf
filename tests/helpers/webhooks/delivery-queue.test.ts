import { expect, test, vi } from 'vitest';
import type { WebhookReceiver } from '../../../helpers/webhooks/deliveries.ts';
import { isWaitOver, quietTime } from '../../../helpers/webhooks/subscriptions.ts';

test.each([
  ['continues before the time limit', -1, Number.POSITIVE_INFINITY, 5000, false],
  ['continues while other deliveries arrive', 3000, 200, 5000, false],
  ['ends when no delivery arrives any more', 10, 1600, 5000, true],
  ['ends if no delivery ever arrived', 10, Number.POSITIVE_INFINITY, 5000, true],
  ['ends if deliveries never stop', 120_001, 10, 5000, true],
  ['ends at once if its limit is short, even while others arrive', 10, 10, 1500, true],
] as const)('the wait for a delivery %s', (_, lateMs, idleMs, withinMs, over) => {
  expect(isWaitOver(lateMs, idleMs, withinMs)).toBe(over);
});

test('does not count time in which the kit was too busy to receive a delivery as quiet', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const deliveries: object[] = [];
  const quietMs = quietTime({ deliveries } as unknown as WebhookReceiver);
  const after = (ms: number) => {
    now.mockReturnValue(ms);
    return quietMs();
  };
  expect(after(20)).toBe(20);
  expect(after(40)).toBe(40);
  expect(after(5000)).toBeLessThan(100);
  deliveries.push({});
  expect(after(5020)).toBe(0);
  expect(after(5040)).toBe(20);
});
