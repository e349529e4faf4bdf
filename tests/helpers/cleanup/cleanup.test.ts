import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { removeRunLeftovers } from '../../../helpers/cleanup/cleanup.ts';
import { recordInvoiceState } from '../../../helpers/invoices/invoices.ts';
import type { InvoiceState } from '../../../specs/contract/lifecycle.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const LEADS_TO: Record<string, InvoiceState> = { cancel: 'CANCELLED', resolve: 'SUBMITTED', submit: 'SUBMITTED' };

/** A server that stores the states of its invoices. A resolution leads to `resolvesTo`. */
function serverWith(states: Record<string, InvoiceState>, resolvesTo: InvoiceState = 'SUBMITTED') {
  const reply = ({ operation, path }: ApiRequest): Reply => {
    const id = path.split('/').at(-1) ?? '';
    if (operation !== 'read') {
      const next = operation === 'resolve' ? resolvesTo : LEADS_TO[operation];
      if (next) states[id] = next;
    }
    const status = states[id];
    return { status: 200, json: { id, status, amount: '1.00', dueDate: '2026-01-31', invoiceNumber: 'INV-1' } };
  };
  return { reply, states };
}

async function tidied(states: Record<string, InvoiceState>, resolvesTo?: InvoiceState, without: string[] = []) {
  const server = serverWith({ ...states }, resolvesTo);
  const { ctx, asks } = scripted(server.reply);
  for (const name of without) delete ctx.target.operations[name as 'delete'];
  for (const [id, state] of Object.entries(states)) recordInvoiceState(ctx, { id, state });
  await removeRunLeftovers(ctx);
  const left = ctx.run.leftovers.entries().filter(([, { reason }]) => reason !== null);
  return { left: left.map(([id, { what, reason }]) => `${id} ${what}: ${reason}`), asks };
}

describe('clean-up', () => {
  test('deletes drafts, cancels submitted invoices, and resolves and cancels disputed invoices', async () => {
    const { left, asks } = await tidied({ one: 'DRAFT', two: 'SUBMITTED', three: 'DISPUTED', four: 'DISPUTED' });
    expect(left).toEqual([]);
    const done = asks
      .filter(({ operation }) => operation !== 'read')
      .map(({ operation, path }) => `${operation} ${path}`);
    expect(done.sort()).toEqual([
      'cancel /cancel/invoices/four',
      'cancel /cancel/invoices/three',
      'cancel /cancel/invoices/two',
      'delete /delete/invoices/one',
      'resolve /resolve/invoices/four',
      'resolve /resolve/invoices/three',
    ]);
  });

  test('submits and cancels a draft if no deletion is bound', async () => {
    expect((await tidied({ one: 'DRAFT' }, 'SUBMITTED', ['delete'])).left).toEqual([]);
  });

  test('tries only one resolution if the invoice stays disputed', async () => {
    const { left, asks } = await tidied({ one: 'DISPUTED', two: 'DISPUTED' }, 'DISPUTED');
    expect(left).toEqual([
      'one invoice DISPUTED: it is still DISPUTED after an accepted resolve action',
      'two invoice DISPUTED: not resolved and then cancelled',
    ]);
    expect(asks.filter(({ operation }) => operation === 'resolve')).toHaveLength(1);
  });

  test('resolves nothing if no cancellation is bound', async () => {
    const { asks } = await tidied({ one: 'DISPUTED', two: 'DRAFT' }, 'SUBMITTED', ['cancel', 'delete']);
    expect(asks).toEqual([]);
  });

  test('keeps approved and settled invoices, with the reason', async () => {
    const { left, asks } = await tidied({ one: 'APPROVED', two: 'SETTLED', three: 'CANCELLED' });
    expect(left).toEqual([
      'one invoice APPROVED: no action removes an invoice in this state',
      'two invoice SETTLED: no action removes an invoice in this state',
    ]);
    expect(asks).toEqual([]);
  });

  test.each([
    ['a path that does not exist', {}, 'INV-1', 'POST /delete/invoices/{id} returned 404; correct operations.delete'],
    [
      'an invoice that exists',
      { code: 'INV001' },
      'INV-1',
      'POST /delete/invoices/{id} returned 404; correct operations.delete',
    ],
    ['an invoice that is gone', { code: 'INV001' }, null, undefined],
  ])('accepts a 404 for %s', async (_, json, number, reason) => {
    const found = { id: 'one', status: 'DRAFT', amount: '1.00', dueDate: '2026-01-31', invoiceNumber: number };
    const { ctx } = scripted(({ operation }) =>
      operation === 'read' && number ? { status: 200, json: found } : { status: 404, json },
    );
    recordInvoiceState(ctx, { id: 'one', state: 'DRAFT' });
    await removeRunLeftovers(ctx);
    expect(ctx.run.leftovers.entries().map(([, left]) => left.reason)).toEqual(reason === undefined ? [] : [reason]);
  });
});
