import { expect, test } from 'vitest';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { RequestBudget } from '../../../engine/scheduling/request-budget.ts';
import { REQUEST_LIMITS } from '../../../specs/verdicts.ts';

test('no limit allows every request', () => {
  const budget = new RequestBudget('none');
  for (let count = 0; count < 1000; count += 1) budget.spend(['creating']);
  expect(budget.spent).toBe(1000);
});

test('a creation reserves a request that only clean-up may use', () => {
  const budget = new RequestBudget(4);
  budget.spend(['creating']);
  budget.spend(['ordinary']);
  budget.spend(['ordinary']);
  expect(() => budget.spend(['ordinary'])).toThrow(Blocked);
  expect(() => budget.spend(['ordinary'])).toThrow('the budget of 4 requests');
  budget.spend(['cleaning up']);
  expect(() => budget.spend(['cleaning up'])).toThrow(Blocked);
  expect(budget.spent).toBe(4);
});

test.each(REQUEST_LIMITS)('a request beyond the limit of %s names it', (limitedBy) => {
  const budget = new RequestBudget(0, { limitedBy });
  expect(() => budget.spend(['ordinary'])).toThrow(expect.objectContaining({ blockedBy: limitedBy }));
});

test('a creation is not sent if no request remains for its removal', () => {
  const budget = new RequestBudget(3);
  budget.spend(['creating']);
  expect(() => budget.spend(['creating'])).toThrow(Blocked);
  budget.spend(['ordinary']);
});

test('a rejected creation reserves nothing', () => {
  const budget = new RequestBudget(2);
  budget.spend(['creating']);
  expect(() => budget.spend(['ordinary'])).toThrow(Blocked);
  budget.releaseReservation('creating');
  budget.spend(['ordinary']);
  expect(budget.spent).toBe(2);
});

test('a dispute reserves the requests that remove a disputed invoice, until it is resolved', () => {
  const budget = new RequestBudget(8);
  budget.spend(['creating']);
  budget.spend(['disputing']);
  expect(() => budget.spend(['ordinary'])).toThrow('2 sent and 6 reserved for clean-up');
  budget.releaseReservation('disputing');
  budget.spend(['ordinary', 'ordinary', 'ordinary', 'ordinary', 'ordinary']);
  expect(() => budget.spend(['ordinary'])).toThrow(Blocked);
});

test('a rejection during clean-up releases nothing', () => {
  const budget = new RequestBudget(3);
  budget.spend(['creating']);
  budget.spend(['cleaning up']);
  budget.releaseReservation('creating');
  budget.spend(['ordinary']);
  expect(() => budget.spend(['ordinary'])).toThrow(Blocked);
});

test('requests that are kept for later checks are not spent on others, except for clean-up', () => {
  const budget = new RequestBudget(4);
  budget.keepForLaterPhases(2);
  budget.spend(['creating']);
  expect(() => budget.spend(['ordinary'])).toThrow('1 sent and 1 reserved for clean-up and 2 kept for later checks');
  budget.spend(['cleaning up']);
  budget.keepForLaterPhases(0);
  budget.spend(['ordinary', 'ordinary']);
  expect(budget.spent).toBe(4);
});

test('requests for the same moment are counted together, all or none', () => {
  const budget = new RequestBudget(5, { spent: 2 });
  expect(() => budget.spend(['ordinary', 'ordinary', 'ordinary', 'ordinary'])).toThrow(Blocked);
  expect(budget.spent).toBe(2);
  budget.spend(['ordinary', 'ordinary', 'ordinary']);
  expect(budget.spent).toBe(5);
});

test('an earlier creation also reserves a request', () => {
  const budget = new RequestBudget(5, { spent: 3, made: 1 });
  budget.spend(['ordinary']);
  expect(() => budget.spend(['ordinary'])).toThrow(Blocked);
  budget.spend(['cleaning up']);
  expect(budget.remaining).toBe(0);
});
