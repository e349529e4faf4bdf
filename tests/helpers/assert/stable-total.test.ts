import { expect, test } from 'vitest';
import { DisturbedByOthers } from '../../../engine/model/outcomes.ts';
import { skipUnlessTotalStable } from '../../../helpers/assert/stable-total.ts';
import { labOf } from '../support/contexts.ts';

test('a total that changes may come from other users or from a late replica', async () => {
  const totals = [270, 328];
  const shown = skipUnlessTotalStable(labOf(), async () => totals.shift() ?? 270, 2);
  await expect(shown).rejects.toThrow(
    new DisturbedByOthers(
      'the total changes while the kit changes no invoice (it was 270, 328): other users of the sandbox create or delete invoices, or some responses show changes late',
    ),
  );
});

test('a total that stays the same ends no check', async () => {
  await expect(skipUnlessTotalStable(labOf(), async () => 7, 2)).resolves.toBeUndefined();
});
