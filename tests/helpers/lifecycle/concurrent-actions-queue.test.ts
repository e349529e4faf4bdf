import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import { expectSerializable } from '../../../helpers/lifecycle/concurrent-actions.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const PAID_AFTER_MS = 30;

/** Approved invoices of a server that answers settlements with 202 and settles a moment later. */
function settlements(acceptsEach: boolean): (ask: ApiRequest) => Reply {
  const invoices = new Map<string, string>();
  const underWay = new Map<string, number>();
  const shown = (id: string): Reply => ({
    status: 200,
    json: { id, invoiceNumber: id, status: invoices.get(id), amount: '1.00', dueDate: '2027-01-31' },
  });
  return ({ operation, path }) => {
    if (operation === 'create') {
      const id = `inv-${invoices.size + 1}`;
      invoices.set(id, 'DRAFT');
      return { ...shown(id), status: 201 };
    }
    const id = path.split('/').at(-1) as string;
    if (operation === 'submit') invoices.set(id, 'SUBMITTED');
    if (operation === 'approve') invoices.set(id, 'APPROVED');
    if (operation !== 'settle') return shown(id);
    if (invoices.get(id) !== 'APPROVED') return { status: 412, json: { code: 'INV004' } };
    const count = (underWay.get(id) ?? 0) + 1;
    underWay.set(id, count);
    if (count > 1 && !acceptsEach) return { status: 409, json: { code: 'LOCK001' } };
    setTimeout(() => invoices.set(id, 'SETTLED'), PAID_AFTER_MS);
    return { status: 202, json: { accepted: true } };
  };
}

function judged({ acceptsEach }: { acceptsEach: boolean }): Promise<void> {
  const { ctx } = scripted(settlements(acceptsEach), { limits: { settleWithinMs: 300 } });
  return expectSerializable(ctx, 'APPROVED', ['settle']);
}

test('one settlement that is accepted with 202, while the others are rejected, is correct', async () => {
  await expect(judged({ acceptsEach: false })).resolves.toBeUndefined();
});

test('a queue may still reject all but one of several settlements that it accepted with 202', async () => {
  await expect(judged({ acceptsEach: true })).rejects.toThrow(NotApplicable);
});
