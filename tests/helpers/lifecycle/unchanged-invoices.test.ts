import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Breach } from '../../../engine/model/outcomes.ts';
import type { CheckContext } from '../../../helpers/context/check.ts';
import { recordAction } from '../../../helpers/context/invoice-history.ts';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { expectNoLateChange, recordUnchanged } from '../../../helpers/lifecycle/unchanged-invoices.ts';
import { answerOf, scripted } from '../support/contexts.ts';

/** A service that shows its first invoice as SUBMITTED once `isWatched`. Calls `onLook` with its id then. */
async function watchFirstInvoice(onLook: (ctx: CheckContext, id: string) => void): Promise<CheckContext> {
  const ids: string[] = [];
  let isWatched = false;
  const shown = (id: string) => {
    const isMoved = isWatched && id === ids[0];
    if (isMoved) onLook(ctx, id);
    return { id, invoiceNumber: `INV-${id}`, status: isMoved ? 'SUBMITTED' : 'DRAFT' };
  };
  const { ctx } = scripted(({ operation, path, body }: ApiRequest) => {
    if (operation === 'list') return { status: 200, json: { items: ids.map(shown) } };
    if (operation !== 'create') return { status: 200, json: shown(path.split('/').at(-1) ?? '') };
    ids.push(`i${ids.length}`);
    return { status: 201, json: { ...(body as object), ...shown(String(ids.at(-1))) } };
  });
  recordUnchanged(ctx, await createInvoice(ctx), 'approve');
  isWatched = true;
  return ctx;
}

test('an invoice of a rejected action that changes later is a breach', async () => {
  const ctx = await watchFirstInvoice(() => {});
  await expect(expectNoLateChange(ctx)).rejects.toBeInstanceOf(Breach);
});

test('an invoice that another check uses meanwhile is none', async () => {
  const ctx = await watchFirstInvoice((own, id) => recordAction(own.run, id, answerOf(200)));
  await expect(expectNoLateChange(ctx)).resolves.toBe(1);
});
