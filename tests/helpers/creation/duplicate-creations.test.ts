import { expect, test } from 'vitest';
import { duplicatesAmong } from '../../../helpers/creation/duplicate-creations.ts';

const invoice = (id: string, changes: object = {}) => ({
  id,
  description: 'Chair (conformance 0a1b2c3d 7)',
  amount: '10.00',
  dueDate: '2030-01-31',
  status: 'DRAFT',
  ...changes,
});
const once = () => true;

test('two invoices of one creation are duplicates, in any later state', () => {
  expect(duplicatesAmong([invoice('1'), invoice('2', { status: 'SETTLED' })], once)).toEqual([['1', '2']]);
});

test('other invoices are no duplicates', () => {
  expect(duplicatesAmong([invoice('1'), invoice('1')], once)).toEqual([]);
  expect(duplicatesAmong([invoice('1'), invoice('2', { amount: '10.50' })], once)).toEqual([]);
  expect(duplicatesAmong([invoice('1'), invoice('2', { dueDate: '2030-02-28' })], once)).toEqual([]);
  expect(duplicatesAmong([invoice('1'), invoice('2', { description: undefined })], once)).toEqual([]);
  expect(duplicatesAmong([invoice('1'), invoice('2')], () => false)).toEqual([]);
});

test('a disputed or cancelled invoice may have a successor', () => {
  for (const status of ['DISPUTED', 'CANCELLED'])
    expect(duplicatesAmong([invoice('1', { status }), invoice('2')], once)).toEqual([]);
});
