import { expect, test } from 'vitest';
import { Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { expectReplayWithoutEffect } from '../../../helpers/idempotency/replay.ts';
import { answerOf, type Reply, scripted } from '../support/contexts.ts';

const record = { id: 'inv-1', invoiceNumber: 'INV-1', status: 'SUBMITTED', amount: '1.00', dueDate: '2027-01-31' };

/**
 * A replay for an invoice that was read as DRAFT once and is SUBMITTED. Reads of other invoices show these states in
 * turn.
 */
async function replayed(isLearned: boolean, ...others: string[]) {
  let reads = 0;
  const { ctx } = scripted(({ operation, path }): Reply => {
    if (operation === 'create') return { status: 201, json: { ...record, id: 'inv-2', status: 'DRAFT' } };
    if (operation !== 'read' || path.endsWith('inv-1')) return { status: 200, json: record };
    reads += 1;
    return { status: 200, json: { ...record, id: 'inv-2', status: others[reads % others.length] } };
  });
  const first = answerOf(200, record);
  await expectReplayWithoutEffect(ctx, { first, replay: async () => first, id: 'inv-1', status: 'DRAFT', isLearned });
}

test('a status from a stale read is no breach', async () => {
  await expect(replayed(true, 'SUBMITTED', 'DRAFT')).rejects.toBeInstanceOf(NotApplicable);
});

test('a status that never goes back is a breach if it changes', async () => {
  await expect(replayed(true, 'DRAFT')).rejects.toBeInstanceOf(Breach);
  await expect(replayed(false, 'DRAFT')).rejects.toBeInstanceOf(Breach);
});
