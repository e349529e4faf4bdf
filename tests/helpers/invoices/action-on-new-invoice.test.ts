import { describe, expect, test } from 'vitest';
import { performOnNewInvoice } from '../../../helpers/invoices/action-on-new-invoice.ts';
import { deleteNewDraft } from '../../../helpers/invoices/draft-deletion.ts';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { keeping, type Reply, scripted } from '../support/contexts.ts';

const RULE: Reply = { status: 412, json: { code: 'NUM004' } };

/** A server that answers deletions in this way; `isExclusive` tells whether the kit changes nothing else. */
function deleting(answer: (isExclusive: boolean) => Reply | null) {
  const { states, reply } = keeping();
  const { ctx, asks } = scripted((ask) => {
    const id = ask.path.split('/').at(-1) ?? '';
    const rejection = ask.operation === 'delete' ? answer(ask.isUrgent === true) : null;
    if (rejection) return rejection;
    if (ask.operation === 'delete') return states.delete(id) ? { status: 204 } : { status: 404 };
    return ask.operation !== 'create' && !states.has(id) ? { status: 404, json: { code: 'INV001' } } : reply(ask);
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const count = (name: string) => asks.filter(({ operation }) => operation === name).length;
  return { ctx, count, perform: () => performOnNewInvoice(ctx, 'delete', createInvoice) };
}

describe('an action on a new invoice', () => {
  test('is sent once if it is accepted', async () => {
    const { perform, count } = deleting(() => null);
    await expect(perform()).resolves.toMatchObject({ response: { status: 204 } });
    expect(count('create')).toBe(1);
  });

  test('is repeated with another invoice in an exclusive section if a rule of the server rejects it', async () => {
    const { ctx, perform } = deleting((isExclusive) => (isExclusive ? null : RULE));
    await expect(perform()).resolves.toMatchObject({ invoice: { id: 'inv-1' }, response: { status: 204 } });
    await expect(deleteNewDraft(ctx)).resolves.toMatchObject({ response: { status: 204 } });
  });

  test('is not repeated again in the run if the rule does not depend on other invoices', async () => {
    const { perform, count } = deleting(() => RULE);
    for (let at = 0; at < 2; at += 1)
      await expect(perform()).resolves.toMatchObject({ invoice: { id: at === 0 ? 'inv-0' : 'inv-2' }, response: RULE });
    expect(count('create')).toBe(3);
  });

  test.each<Reply>([
    { status: 412, json: { code: 'INV004' } },
    { status: 412, json: { code: 'TREAS007' } },
    { status: 403, json: { code: 'AUTH01' } },
  ])('is not repeated after another rejection: %j', async (rejection) => {
    const { perform, count } = deleting(() => rejection);
    await expect(perform()).resolves.toMatchObject({ response: rejection });
    expect(count('create')).toBe(1);
  });
});
