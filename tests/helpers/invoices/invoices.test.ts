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

/** A server that completes an action only with this request for it. */
function completingWith(action: string, request: number) {
  const { states, reply } = keeping();
  const counts = new Map<string, number>();
  const { ctx, asks } = scripted((ask) => {
    const id = ask.path.split('/').at(-1) ?? '';
    const from = states.get(id);
    const { status, json } = reply(ask);
    if (ask.operation !== action) return { status, json };
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count > request) return { status: 412, json: { code: 'INV004' } };
    if (count < request) states.set(id, from ?? '');
    return { status, json: { ...(json as object), status: states.get(id) } };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return { ctx, count: (name: string) => asks.filter(({ operation }) => operation === name).length };
}

test('an approval that needs two requests is repeated, and at once for the next invoice', async () => {
  const { ctx, count } = completingWith('approve', 2);
  await expect(createInvoiceInState(ctx, 'APPROVED')).resolves.toMatchObject({ state: 'APPROVED' });
  expect(ctx.execution.missedEffects).toEqual([]);
  await expect(createInvoiceInState(ctx, 'SETTLED')).resolves.toMatchObject({ state: 'SETTLED' });
  expect(count('approve')).toBe(4);
  await expect(advanceInvoice(ctx, await createInvoice(ctx), ['submit', 'approve'])).resolves.toBe('APPROVED');
  expect(count('approve')).toBe(6);
});

test('an action without effect is repeated once in a run', async () => {
  const { ctx, count } = completingWith('approve', 9);
  for (let at = 0; at < 2; at += 1)
    await expect(createInvoiceInState(ctx, 'APPROVED')).rejects.toMatchObject({ blockedBy: 'LIFE-04.approve' });
  expect(count('approve')).toBe(3);
});

test('a settlement is never repeated', async () => {
  const { ctx, count } = completingWith('settle', 2);
  await expect(createInvoiceInState(ctx, 'SETTLED')).rejects.toMatchObject({ blockedBy: 'LIFE-04.settle' });
  expect(count('settle')).toBe(1);
});
