import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { alone } from '../../helpers/alone.ts';
import { nextSettlement } from '../../helpers/announced-settlement.ts';
import { callWitnesses, witnessOf } from '../../helpers/witnesses.ts';
import { startReference } from '../../reference/start.ts';
import { judged } from '../hostile/judged.ts';
import { keeping, scripted } from './labs.ts';

function labOfKeeping() {
  const { states, reply } = keeping();
  const { lab } = scripted(reply, { limits: { settleWithinMs: 0 } });
  const settled = () => [...states.values()].filter((state) => state === 'SETTLED').length;
  return { lab, settled };
}

describe('checks share what cannot be removed:', () => {
  test('the settlement tried alone takes the invoice of the approval tried alone', async () => {
    const { lab } = labOfKeeping();
    const approved = await alone(lab, 'approve');
    expect((await alone(lab, 'settle')).invoice.id).toBe(approved.invoice.id);
  });

  test('the settled witness is the invoice that was settled alone', async () => {
    const { lab, settled } = labOfKeeping();
    await callWitnesses(lab);
    expect(witnessOf(lab, 'SETTLED')?.id).toBe((await alone(lab, 'settle')).invoice.id);
    expect(settled()).toBe(1);
  });

  test('one settlement serves all checks that ask at about the same time; a later one gets another', async () => {
    const { lab, settled } = labOfKeeping();
    const first = nextSettlement(lab);
    await pause(50);
    const second = nextSettlement(lab);
    expect((await first).id).toBe((await second).id);
    expect((await nextSettlement(lab)).id).not.toBe((await first).id);
    expect(settled()).toBe(2);
  });

  test('the withdrawal that proves the binding is the small one that checks replay', async () => {
    const service = await startReference();
    try {
      const { report } = await judged(service.target, { only: ['IDEM-04.answer'] });
      expect(report?.checks.map(({ verdict }) => verdict)).toEqual(['pass']);
      // One more has the sum of the early withdrawal.
      const withdrawals = report?.leftovers
        .filter(({ what }) => what === 'withdrawal')
        .map(({ id }) => id.split(',')[0]);
      expect(withdrawals).toEqual(expect.arrayContaining(['0.30']));
      expect(withdrawals).toHaveLength(2);
    } finally {
      await service.close();
    }
  });
});
