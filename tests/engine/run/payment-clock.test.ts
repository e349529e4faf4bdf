import { expect, test, vi } from 'vitest';
import { PaymentClock } from '../../../engine/ledger/payment-clock.ts';
import type { ApiResponse, Operation } from '../../../engine/model/messages.ts';

/** What a clock says at a time after the response to a request. */
function remainingAfter(operation: Operation, passedMs: number): number {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const clock = new PaymentClock();
  clock.observe({ request: { operation }, status: 200 } as ApiResponse);
  now.mockReturnValue(10_000 + passedMs);
  return clock.remainingMs(1000);
}

test.each(['settle', 'treasuryWithdraw'] as const)('the time after %s counts from its response', (operation) => {
  expect(remainingAfter(operation, 0)).toBe(1000);
  expect(remainingAfter(operation, 400)).toBe(600);
  expect(remainingAfter(operation, 3000)).toBe(0);
});

test('other operations move no money', () => {
  expect(remainingAfter('submit', 0)).toBe(0);
});

test('the time since the first payment does not depend on later ones', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const clock = new PaymentClock();
  expect(clock.remainingSinceFirstMs(1000)).toBe(0);
  for (const at of [10_000, 10_700]) {
    now.mockReturnValue(at);
    clock.observe({ request: { operation: 'settle' }, status: 200 } as ApiResponse);
  }
  expect(clock.remainingSinceFirstMs(1000)).toBe(300);
  expect(clock.remainingMs(1000)).toBe(1000);
});

test.each([
  ['settle', 200, 1000],
  ['settle', 202, 1000],
  ['settle', 504, 1000],
  ['settle', 409, 0],
  ['treasuryWithdraw', 201, 0],
] as const)('after %s with the response %i, a settlement may show for %i ms', (operation, status, ms) => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const clock = new PaymentClock();
  clock.observe({ request: { operation }, status } as ApiResponse);
  expect(clock.remainingSinceSettlementMs(1000)).toBe(ms);
});

test('a rejected settlement may show if an earlier attempt may have been accepted', () => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const clock = new PaymentClock();
  clock.observe({ request: { operation: 'settle' }, status: 409, mayHaveDuplicatedMutation: true } as ApiResponse);
  expect(clock.remainingSinceSettlementMs(1000)).toBe(1000);
});
