import { expect, test } from 'vitest';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { blockUnlessActionHasEffect } from '../../../helpers/lifecycle/ineffective-action.ts';
import type { InvoiceState } from '../../../specs/contract/lifecycle.ts';
import { scripted } from '../support/contexts.ts';

/** On a server on which a submission leads to the given state, after one invoice has shown that state. */
async function afterSubmission(leadsTo: InvoiceState) {
  const states = new Map<string, InvoiceState>();
  const { ctx } = scripted(({ operation, path }) => {
    const id = operation === 'create' ? `inv-${states.size}` : (path.split('/').at(-1) ?? '');
    if (operation === 'create') states.set(id, 'DRAFT');
    if (operation === 'submit') states.set(id, leadsTo);
    const status = states.get(id);
    return { status: 200, json: { id, status, amount: '1.00', dueDate: '2027-01-31', invoiceNumber: 'INV-1' } };
  });
  const invoice = await createInvoice(ctx);
  return await blockUnlessActionHasEffect(ctx, 'submit', invoice).catch((error: unknown) => error);
}

test('an action without an effect for any party is left to LIFE-04', async () => {
  expect(await afterSubmission('DRAFT')).toEqual(expect.objectContaining({ blockedBy: 'LIFE-04.submit' }));
});

test('an action that works for the right party is no excuse', async () => {
  expect(await afterSubmission('SUBMITTED')).toBeUndefined();
});
