import { expect, test } from 'vitest';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import { createInvoiceVariants } from '../../../helpers/adaptation/invoice-variants.ts';
import { advanceInvoice } from '../../../helpers/idempotency/replay.ts';
import { createInvoice, createInvoiceInState, moveToState } from '../../../helpers/invoices/invoices.ts';
import { keeping, scripted } from '../support/contexts.ts';

/** A server on which an action leads to another state than usual. */
function leadingTo(changed: Record<string, string>) {
  const { states, reply } = keeping();
  const { ctx, asks } = scripted((ask) => {
    const { status, json } = reply(ask);
    const led = changed[ask.operation];
    const id = ask.path.split('/').at(-1) ?? '';
    if (led) states.set(id, led);
    return { status, json: { ...(json as object), currency: 'EUR', ...(led && { status: led }) } };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const actions = () => asks.map(({ operation }) => operation).filter((name) => !['create', 'read'].includes(name));
  return { ctx, actions };
}

test('an invoice that is approved by its submission is settled without an approval', async () => {
  const { ctx, actions } = leadingTo({ submit: 'APPROVED' });
  await expect(createInvoiceInState(ctx, 'SETTLED')).resolves.toMatchObject({ state: 'SETTLED' });
  expect(actions()).toEqual(['submit', 'settle']);
});

test('an invoice that is approved by its submission never becomes SUBMITTED or DISPUTED', async () => {
  for (const state of ['SUBMITTED', 'DISPUTED'] as const) {
    const { ctx } = leadingTo({ submit: 'APPROVED' });
    const invoice = await createInvoice(ctx);
    await expect(moveToState(ctx, invoice, state)).rejects.toThrow(
      new NotApplicable('the submit action leads to APPROVED on this server; no invoice became SUBMITTED'),
    );
    expect(invoice).toMatchObject({ state: 'APPROVED', hasPendingAction: false });
  }
});

test('an action that cancels the invoice does not lead to a later state', async () => {
  const { ctx, actions } = leadingTo({ approve: 'CANCELLED' });
  await expect(createInvoiceInState(ctx, 'SETTLED')).rejects.toThrow('the approve action leads to CANCELLED');
  expect(actions()).toEqual(['submit', 'approve']);
});

test('a replay follows a transition that did the work of several', async () => {
  const { ctx, actions } = leadingTo({ submit: 'APPROVED' });
  const invoice = await createInvoice(ctx);
  await expect(advanceInvoice(ctx, invoice, ['submit', 'approve', 'settle'])).resolves.toBe('SETTLED');
  expect(actions()).toEqual(['submit', 'settle']);
});

test('an invoice variant that is approved by its submission is kept', async () => {
  const { ctx } = leadingTo({ submit: 'APPROVED' });
  const { variants } = await createInvoiceVariants(ctx);
  expect(variants.map(({ invoice }) => invoice.state)).toContain('APPROVED');
});
