import { expect, test } from 'vitest';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { RequestBudget } from '../../../engine/scheduling/request-budget.ts';

test('no limit is none', () => {
  const budget = new RequestBudget('none');
  for (let count = 0; count < 1000; count += 1) budget.take(['creating']);
  expect(budget.spent).toBe(1000);
});

test('a creation keeps a request aside, which only tidying up may take', () => {
  const budget = new RequestBudget(4);
  budget.take(['creating']);
  budget.take(['ordinary']);
  budget.take(['ordinary']);
  expect(() => budget.take(['ordinary'])).toThrow(Blocked);
  expect(() => budget.take(['ordinary'])).toThrow('the budget of 4 requests');
  budget.take(['tidying']);
  expect(() => budget.take(['tidying'])).toThrow(Blocked);
  expect(budget.spent).toBe(4);
});

test('a creation for whose removal nothing would be left does not leave', () => {
  const budget = new RequestBudget(3);
  budget.take(['creating']);
  expect(() => budget.take(['creating'])).toThrow(Blocked);
  budget.take(['ordinary']);
});

test('a refused creation needs nothing aside', () => {
  const budget = new RequestBudget(2);
  budget.take(['creating']);
  expect(() => budget.take(['ordinary'])).toThrow(Blocked);
  budget.release();
  budget.take(['ordinary']);
  expect(budget.spent).toBe(2);
});

test('a refusal after tidying up has begun gives nothing away', () => {
  const budget = new RequestBudget(3);
  budget.take(['creating']);
  budget.take(['tidying']);
  budget.release();
  budget.take(['ordinary']);
  expect(() => budget.take(['ordinary'])).toThrow(Blocked);
});

test('requests for the same moment are counted together, all of them or none', () => {
  const budget = new RequestBudget(5, 2);
  expect(() => budget.take(['ordinary', 'ordinary', 'ordinary', 'ordinary'])).toThrow(Blocked);
  expect(budget.spent).toBe(2);
  budget.take(['ordinary', 'ordinary', 'ordinary']);
  expect(budget.spent).toBe(5);
});

test('what was created before keeps a request aside, too', () => {
  const budget = new RequestBudget(5, 3, 1);
  budget.take(['ordinary']);
  expect(() => budget.take(['ordinary'])).toThrow(Blocked);
  budget.take(['tidying']);
  expect(budget.left).toBe(0);
});
