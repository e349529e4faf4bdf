import { expect, test } from 'vitest';
import { sendAction } from '../../../helpers/api/operations.ts';
import { isRepeatable, trialOn } from '../../../helpers/controls/repeated-rejection.ts';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { scripted } from '../support/contexts.ts';

/** A server that rejects each cancellation of a draft, and cancels those drafts that `acts` names by their number anyway. */
function serverWithDrafts(acts: (number: number) => boolean) {
  const drafts: { id: string; invoiceNumber: string; status: string; [field: string]: unknown }[] = [];
  return scripted(({ operation, path, body }) => {
    if (operation === 'create') {
      const number = drafts.length + 1;
      const draft = { ...(body as object), id: `inv-${number}-end`, invoiceNumber: `INV-${number}`, status: 'DRAFT' };
      drafts.push(draft);
      return { status: 201, json: draft };
    }
    const draft = drafts.find(({ id }) => path.includes(id));
    if (!draft) return { status: 404, json: { code: 'INV001' } };
    if (operation === 'read') return { status: 200, json: draft };
    if (acts(drafts.indexOf(draft) + 1)) draft.status = 'CANCELLED';
    return { status: 412, json: { error: 'not now', code: 'INV004' } };
  });
}

async function rejectedTrial(acts: (number: number) => boolean) {
  const { ctx } = serverWithDrafts(acts);
  const invoice = await createInvoice(ctx);
  await sendAction(ctx, 'cancel', invoice.id, { as: ctx.credentials('seller') });
  return { ctx, invoice };
}

test('a rejection that changes every invoice is repeatable, and the answer is kept for the state', async () => {
  const { ctx, invoice } = await rejectedTrial(() => true);
  expect(await isRepeatable(ctx, 'DRAFT')).toBe(false);
  expect(await isRepeatable(ctx, 'DRAFT', trialOn(ctx, invoice))).toBe(true);
  expect(await isRepeatable(ctx, 'DRAFT')).toBe(true);
  expect(await isRepeatable(ctx, 'APPROVED')).toBe(false);
});

test.each([
  ['no other invoice changes', (number: number) => number === 1],
  ['one of the others stays unchanged', (number: number) => number !== 3],
])('a change is not repeatable if %s', async (_, acts) => {
  const { ctx, invoice } = await rejectedTrial(acts);
  expect(await isRepeatable(ctx, 'DRAFT', trialOn(ctx, invoice))).toBe(false);
});

test('an invoice without a rejected action has no trial', async () => {
  const { ctx } = serverWithDrafts(() => true);
  expect(trialOn(ctx, await createInvoice(ctx))).toBeUndefined();
});
