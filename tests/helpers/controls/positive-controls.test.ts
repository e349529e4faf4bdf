import { describe, expect, test } from 'vitest';
import { runActionControl, runCreationControl } from '../../../helpers/controls/positive-controls.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const record = { id: 'inv-1', invoiceNumber: 'INV-1', status: 'SUBMITTED', amount: '1.00', dueDate: '2027-01-31' };

/** A server whose new invoices are SUBMITTED and never change. */
function server(action: Reply, changes: object = {}, now = 'SUBMITTED') {
  return scripted(({ operation, path }) => {
    if (!['create', 'list'].includes(operation) && !/^(\/\w+)?\/invoices\/inv-1$/.test(path)) {
      return { status: 404, json: { error: 'not found', code: 'INV001' } };
    }
    if (operation === 'create') return { status: 201, json: record };
    if (operation === 'submit') return { status: 412 };
    return operation === 'read' ? { status: 200, json: { ...record, status: now } } : action;
  }, changes);
}

test('a creation works if a valid one is accepted, and is tried once', async () => {
  const { ctx, asks } = server({ status: 200 });
  await Promise.all([runCreationControl(ctx), runCreationControl(ctx)]);
  expect(asks).toHaveLength(1);
  await expect(runCreationControl(scripted(() => ({ status: 403 })).ctx)).rejects.toMatchObject({
    blockedBy: 'actors.seller of the target file',
  });
  await expect(runCreationControl(scripted(() => ({ status: 400 })).ctx)).rejects.toMatchObject({
    blockedBy: 'CREATE-13.required-only',
  });
});

describe('an action', () => {
  test('works if it is accepted in the state that offers it, and is tried once', async () => {
    const { ctx, asks } = server({ status: 200, json: { ...record, status: 'APPROVED' } });
    expect(await Promise.all([runActionControl(ctx, 'approve'), runActionControl(ctx, 'approve')])).toEqual([
      true,
      true,
    ]);
    expect(asks.filter(({ operation }) => operation === 'approve')).toHaveLength(1);
  });

  test('does not work if no invoice reaches that state, or the funds are insufficient', async () => {
    expect(await runActionControl(server({ status: 200 }).ctx, 'delete')).toBe(false);
    expect(await runActionControl(server({ status: 412, json: { code: 'TREAS007' } }).ctx, 'cancel')).toBe(false);
    expect(await runActionControl(server({ status: 412 }, {}, 'CANCELLED').ctx, 'cancel')).toBe(false);
  });

  test('blocks if it is rejected in that state, or not bound', async () => {
    const refused = server({ status: 409 }).ctx;
    await expect(runActionControl(refused, 'cancel')).rejects.toMatchObject({ blockedBy: 'LIFE-01.submitted-cancel' });
    const wrong = server({ status: 400 }).ctx;
    await expect(runActionControl(wrong, 'cancel')).rejects.toMatchObject({
      blockedBy: 'operations.cancel of the target file',
    });
    const unbound = server({ status: 200 }, { operations: {} }).ctx;
    await expect(runActionControl(unbound, 'cancel')).rejects.toMatchObject({
      blockedBy: 'operations.cancel of the target file',
    });
  });

  test('leaves no invoice if it deletes', async () => {
    const { ctx } = scripted(({ operation, path }) => {
      if (operation === 'create') return { status: 201, json: { ...record, status: 'DRAFT' } };
      return path === '/delete/invoices/inv-1' ? { status: 204 } : { status: 404, json: { code: 'INV001' } };
    });
    expect(await runActionControl(ctx, 'delete')).toBe(true);
    expect(ctx.run.leftovers.entries()).toEqual([]);
    expect(await runActionControl(server({ status: 200 }).ctx, 'cancel')).toBe(true);
  });
});
