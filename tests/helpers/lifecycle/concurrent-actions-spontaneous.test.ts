import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { expectSerializable } from '../../../helpers/lifecycle/concurrent-actions.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const RUNS_OUT_MS = 50;

/**
 * Disputed invoices that have the given state a moment later. After concurrent requests they are CANCELLED before the
 * next read.
 */
function disputes(laterLooks: string): (ask: ApiRequest) => Reply {
  const invoices = new Map<string, { status: string; asked: number; disputedAt: number }>();
  const shown = (id: string, status: string): Reply => ({
    status: 200,
    json: { id, invoiceNumber: `INV-${id}`, status, amount: '1.00', dueDate: '2027-01-31' },
  });
  return ({ operation, path }) => {
    if (operation === 'create') {
      const id = `inv-${invoices.size + 1}`;
      invoices.set(id, { status: 'DRAFT', asked: 0, disputedAt: 0 });
      return { ...shown(id, 'DRAFT'), status: 201 };
    }
    const id = path.split('/').at(-1) as string;
    const invoice = invoices.get(id);
    if (!invoice) return { status: 404 };
    if (operation === 'read') {
      if (invoice.status !== 'DISPUTED') return shown(id, invoice.status);
      const ranOut = performance.now() - invoice.disputedAt > RUNS_OUT_MS;
      return shown(id, invoice.asked > 1 ? 'CANCELLED' : ranOut ? laterLooks : 'DISPUTED');
    }
    if (operation === 'submit') invoice.status = 'SUBMITTED';
    else {
      invoice.asked += 1;
      if (invoice.asked > 1) return { status: 412, json: { code: 'INV004' } };
      invoice.status = operation === 'cancel' ? 'CANCELLED' : 'DISPUTED';
      invoice.disputedAt = performance.now();
    }
    return shown(id, invoice.status);
  };
}

test('a dispute that ends spontaneously does not affect the race', async () => {
  const { ctx } = scripted(disputes('CANCELLED'));
  await expect(expectSerializable(ctx, 'SUBMITTED', ['dispute', 'cancel'])).rejects.toThrow(NotApplicable);
});

test('an unexplained final state is a breach if a dispute stays a dispute', async () => {
  const { ctx } = scripted(disputes('DISPUTED'));
  await expect(expectSerializable(ctx, 'SUBMITTED', ['dispute', 'cancel'])).rejects.toThrow(Breach);
});
