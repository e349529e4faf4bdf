import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Breach } from '../../../engine/model/outcomes.ts';
import { performAction } from '../../../helpers/invoices/acting-party.ts';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { expectDeletedGone } from '../../../helpers/lifecycle/final-states.ts';
import { scripted } from '../support/contexts.ts';

interface Draft {
  id: string;
  invoiceNumber: string;
  status: string;
}

/** A service whose ids are the lowest free numbers. */
function service() {
  const drafts = new Map<string, Draft>();
  let created = 0;
  const add = (body: object = {}): Draft => {
    let free = 1;
    while (drafts.has(`i${free}`)) free += 1;
    created += 1;
    const draft = { id: `i${free}`, invoiceNumber: `N-${created}`, status: 'DRAFT', ...body };
    drafts.set(draft.id, draft);
    return draft;
  };
  const { ctx, asks } = scripted(({ operation, path, body }: ApiRequest) => {
    if (operation === 'create') return { status: 201, json: add(body as object) };
    if (operation === 'list') return { status: 200, json: { items: [...drafts.values()] } };
    const id = path.split('/').at(-1) ?? '';
    const known = drafts.get(id);
    if (!known) return { status: 404, json: { error: 'none', code: 'INV001' } };
    if (operation !== 'delete') return { status: 200, json: known };
    drafts.delete(id);
    return { status: 204 };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return { ctx, asks, drafts, add };
}

async function deleteDraft({ ctx, drafts }: ReturnType<typeof service>): Promise<Draft> {
  const { id } = await createInvoice(ctx);
  const draft = drafts.get(id) as Draft;
  await performAction(ctx, 'delete', id);
  ctx.run.leftovers.recordDeleted(id);
  return draft;
}

test('a deleted draft that is stored again is a breach, with its deletion as evidence', async () => {
  const lab = service();
  const draft = await deleteDraft(lab);
  lab.drafts.set(draft.id, draft);
  const failure = await expectDeletedGone(lab.ctx).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Breach);
  const shown = (failure as Breach).exchanges.map((exchange) => lab.asks[Number(exchange.slice(1)) - 1]?.operation);
  expect(shown).toEqual(['list', 'delete', 'create']);
});

test('a later invoice of the run may have the id of a deleted draft', async () => {
  const lab = service();
  const { id } = await deleteDraft(lab);
  expect((await createInvoice(lab.ctx)).id).toBe(id);
  expect(await expectDeletedGone(lab.ctx)).toBe(0);
});

test('an invoice of another client may have the id of a deleted draft', async () => {
  const lab = service();
  const { id } = await deleteDraft(lab);
  expect(lab.add().id).toBe(id);
  expect(await expectDeletedGone(lab.ctx)).toBe(1);
});
