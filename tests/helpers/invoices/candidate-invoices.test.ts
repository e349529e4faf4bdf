import { describe, expect, test } from 'vitest';
import { recordPreexistingInvoices } from '../../../helpers/context/preexisting-invoices.ts';
import { type InvoiceBody, validBody } from '../../../helpers/data/invoice-body.ts';
import { candidatesFor, recordOrigin } from '../../../helpers/invoices/candidate-invoices.ts';
import { labOf } from '../support/contexts.ts';

function recordOf(id: string, { amount, dueDate, buyerId }: InvoiceBody) {
  return { id, amount, dueDate, buyerOrganizationId: buyerId };
}

describe('the copies of an invoice', () => {
  test('are all that look like it', async () => {
    const lab = labOf();
    const body = validBody(lab);
    recordOrigin(lab, 'a', body);
    const records = [recordOf('a', body), recordOf('b', body), recordOf('c', validBody(lab))];
    expect(await candidatesFor(lab, records, body)).toEqual(new Set(['a', 'b']));
  });

  test('are two where a replay made the second, and the kit knows of it', async () => {
    const lab = labOf();
    const body = validBody(lab);
    for (const id of ['a', 'b']) recordOrigin(lab, id, body);
    expect(await candidatesFor(lab, [recordOf('a', body), recordOf('b', body)], body)).toEqual(new Set(['a', 'b']));
  });

  test('are none of another body with the same sum and date, known now or in a moment', async () => {
    const lab = labOf();
    const body = validBody(lab);
    const other = { ...validBody(lab), amount: body.amount, dueDate: body.dueDate };
    recordOrigin(lab, 'a', body);
    const copies = candidatesFor(lab, [recordOf('a', body), recordOf('b', other)], body);
    recordOrigin(lab, 'b', other);
    expect(await copies).toEqual(new Set(['a']));
  });

  test('are none that was there before the run', async () => {
    const lab = labOf();
    const body = validBody(lab);
    recordPreexistingInvoices(lab, [{ id: 'old' }]);
    expect(await candidatesFor(lab, [recordOf('a', body), recordOf('old', body)], body)).toEqual(new Set(['a']));
  });

  test('are none that says something else, where descriptions are shown', async () => {
    const lab = labOf();
    const body = validBody(lab);
    const records = [body.description, undefined, 'of somebody else'].map((description, at) => ({
      ...recordOf(`i${at}`, body),
      description,
    }));
    expect(await candidatesFor(lab, records, body)).toEqual(new Set(['i0', 'i1']));
  });

  test('on two pages are one', async () => {
    const lab = labOf();
    const body = validBody(lab);
    expect(await candidatesFor(lab, [recordOf('a', body), recordOf('a', body)], body)).toEqual(new Set(['a']));
  });
});
