import { expect, test, vi } from 'vitest';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { composeOverrides } from '../../reference/variations/support/compose.ts';

vi.setConfig({ testTimeout: 180_000 });

test('a settlement that pays in production is found on a server whose resolution leads to DRAFT', async () => {
  const reopening = allVariations.find(({ id }) => id === 'resolve-reopens');
  const paying = allFaults.find(({ id }) => id === 'treas-settlement-credits-production-later');
  if (!reopening || !paying) throw new Error('the variation or the fault has another name now');
  const judged = await judgeServer(composeOverrides([reopening, paying]), ['ORG-03.delayed']);
  expect(judged.map(({ verdict }) => verdict)).toEqual(['fail']);
});
