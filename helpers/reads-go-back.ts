import { setTimeout as pause } from 'node:timers/promises';
import { accepted } from './accepted.ts';
import { reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look } from './look.ts';
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
    // Looked at often from the first: the copies differ for no longer than the slower of them takes.
    const within = Math.max(LEAST_MS, lab.target.limits.settleWithinMs);
    let end = performance.now() + within;
    for (let moved = false; performance.now() < end; await pause(LOOK_EVERY_MS)) {
      const { record } = await look(lab, draft.id);
      const isDraft = !record || record.status === 'DRAFT';
      if (moved && isDraft) return true;
      if (!moved && !isDraft) end = performance.now() + within;
      moved ||= !isDraft;
    }
    return false;
  });
}
