import { expect, test } from 'vitest';
import { isDifferentInvoice } from '../../../helpers/invoices/same-invoice.ts';

const known = {
  id: '17',
  amount: '120.00',
  currency: 'EUR',
  dueDate: '2027-03-31',
  invoiceNumber: 'INV-17',
  createdAt: '2026-11-23T10:00:01Z',
};

test.each([
  ['the same fields', known],
  ['more digits in its timestamp', { ...known, createdAt: '2026-11-23T10:00:01.734Z' }],
  ['an object as its amount', { ...known, amount: { value: '120.00' } }],
  ['fewer digits in its amount', { ...known, amount: '120' }],
  ['its due date in words', { ...known, dueDate: '31 March 2027' }],
  ['only its id', { id: '17' }],
])('the same invoice may be shown with %s', (_, record) => {
  expect(isDifferentInvoice(record, known)).toBe(false);
});

test.each([
  ['amount', { amount: '120.01' }],
  ['currency', { currency: 'USD' }],
  ['due date', { dueDate: '2027-04-01' }],
  ['number', { invoiceNumber: 'INV-0017' }],
  ['moment', { createdAt: '2026-11-23T10:00:02.001Z' }],
])('another %s means another invoice', (_, change) => {
  expect(isDifferentInvoice({ ...known, ...change }, known)).toBe(true);
});

test('two invoices created in the same second are different if the milliseconds differ', () => {
  const exact = { ...known, createdAt: '2026-11-23T10:00:01.734Z' };
  expect(isDifferentInvoice({ ...known, createdAt: '2026-11-23T10:00:01.735Z' }, exact)).toBe(true);
});

test('no record allows no conclusion', () => {
  expect(isDifferentInvoice(undefined, known)).toBe(false);
});
