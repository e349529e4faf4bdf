import { describe, expect, test } from 'vitest';
import { recordPreexistingInvoices } from '../../../helpers/context/invoice-history.ts';
import { type InvoiceBody, validBody } from '../../../helpers/data/invoice-body.ts';
import { candidatesFor, recordOrigin } from '../../../helpers/invoices/candidate-invoices.ts';
import { labOf } from '../support/contexts.ts';

function recordOf(id: string, { amount, dueDate, buyerId }: InvoiceBody) {
  return { id, amount, dueDate, buyerOrganizationId: buyerId };
}

describe('the duplicates of an invoice', () => {
  test('are all similar invoices', async () => {
    const ctx = labOf();
    const body = validBody(ctx);
    recordOrigin(ctx, 'a', body);
    const records = [recordOf('a', body), recordOf('b', body), recordOf('c', validBody(ctx))];
    expect(await candidatesFor(ctx, records, body)).toEqual(new Set(['a', 'b']));
  });

  test('are two if a replay created the second one, and the kit knows it', async () => {
    const ctx = labOf();
    const body = validBody(ctx);
    for (const id of ['a', 'b']) recordOrigin(ctx, id, body);
    expect(await candidatesFor(ctx, [recordOf('a', body), recordOf('b', body)], body)).toEqual(new Set(['a', 'b']));
  });

  test('are none of another body with the same amount and date, known now or later', async () => {
    const ctx = labOf();
    const body = validBody(ctx);
    const other = { ...validBody(ctx), amount: body.amount, dueDate: body.dueDate };
    recordOrigin(ctx, 'a', body);
    const copies = candidatesFor(ctx, [recordOf('a', body), recordOf('b', other)], body);
    recordOrigin(ctx, 'b', other);
    expect(await copies).toEqual(new Set(['a']));
  });

  test('are none that existed before the run', async () => {
    const ctx = labOf();
    const body = validBody(ctx);
    recordPreexistingInvoices(ctx, [{ id: 'old' }]);
    expect(await candidatesFor(ctx, [recordOf('a', body), recordOf('old', body)], body)).toEqual(new Set(['a']));
  });

  test('are none with another description, if descriptions are shown', async () => {
    const ctx = labOf();
    const body = validBody(ctx);
    const records = [body.description, undefined, 'of somebody else'].map((description, at) => ({
      ...recordOf(`i${at}`, body),
      description,
    }));
    expect(await candidatesFor(ctx, records, body)).toEqual(new Set(['i0', 'i1']));
  });

  test('are counted once if they appear on two pages', async () => {
    const ctx = labOf();
    const body = validBody(ctx);
    expect(await candidatesFor(ctx, [recordOf('a', body), recordOf('a', body)], body)).toEqual(new Set(['a']));
  });
});
