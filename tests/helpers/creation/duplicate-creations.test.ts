import { expect, test } from 'vitest';
import { Breach } from '../../../engine/model/outcomes.ts';
import { duplicatesAmong, expectNoDuplicates } from '../../../helpers/creation/duplicate-creations.ts';
import type { InvoiceBody } from '../../../helpers/data/invoice-body.ts';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { scripted } from '../support/contexts.ts';

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

test('duplicates are recognized by the description under another name', () => {
  const { description, ...unnamed } = invoice('1');
  const isSent = (shown: unknown) => shown === description;
  const kept = { ...unnamed, memo: { lines: [description] } };
  expect(duplicatesAmong([kept, { ...kept, id: '2' }], isSent)).toEqual([['1', '2']]);
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

/** A run on a server that makes two invoices of each creation. */
async function runWithCopies() {
  const rows: Record<string, unknown>[] = [];
  const { ctx } = scripted(({ operation, body }) => {
    if (operation !== 'create') return { status: 200, json: { items: rows, total: rows.length, totalPages: 1 } };
    const { amount, dueDate, description } = body as InvoiceBody;
    for (const _ of ['original', 'copy'])
      rows.unshift({ id: `inv-${rows.length}`, status: 'DRAFT', amount, dueDate, description });
    return { status: 201, json: rows[0] ?? {} };
  });
  for (const _ of ['first', 'second']) await createInvoice(ctx);
  return ctx;
}

test('duplicates of two creations are a breach, unless an action is bound to a wrong request', async () => {
  const ctx = await runWithCopies();
  await expect(expectNoDuplicates(ctx)).rejects.toThrow(Breach);
  ctx.run.disableBinding('submit', 'operations.submit: the invoice stays DRAFT');
  await expect(expectNoDuplicates(ctx)).rejects.toMatchObject({ blockedBy: 'operations.submit of the target file' });
});
