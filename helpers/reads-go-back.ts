import { setTimeout as pause } from 'node:timers/promises';
import { accepted } from './accepted.ts';
import { reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look, lookUntil } from './look.ts';
import { perform } from './parties.ts';

const LOOK_EVERY_MS = 60;
const LEAST_MS = 500;

/**
 * Whether an invoice that was shown SUBMITTED is shown as a DRAFT again a moment later: one copy of the data is behind another,
 * and no single look tells what state an invoice is in. How soon a look shows what was done is not given.
 */
export async function readsGoBack(lab: Lab): Promise<boolean> {
  return await lab.run.once('reads that go back', async () => {
    if (!lab.target.operations.submit) return false;
    const [draft] = await whereReachable(() => reach(lab, 'DRAFT'));
    if (!draft || !accepted(await perform(lab, 'submit', draft.id))) return false;
    const { held } = await lookUntil(lab, draft.id, (found) => found?.status === 'SUBMITTED');
    const end = performance.now() + Math.max(LEAST_MS, lab.target.limits.settleWithinMs);
    while (held && performance.now() < end) {
      const { record } = await look(lab, draft.id);
      if (!record || record.status === 'DRAFT') return true;
      await pause(LOOK_EVERY_MS);
    }
    return false;
  });
}
