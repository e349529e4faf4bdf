import { setTimeout as pause } from 'node:timers/promises';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { perform } from '../invoices/acting-party.ts';
import { look } from '../invoices/find-invoice.ts';
import { type Invoice, reach, whereReachable } from '../invoices/invoices.ts';

const LOOK_EVERY_MS = 60;
const LEAST_MS = 500;

/**
 * Whether an invoice that was shown SUBMITTED, or what became of it afterwards, is shown as it was before a moment later: one copy of the
 * data is behind another, or what the other party does is shown late, and no single look tells what state an invoice is in. How soon a
 * look shows what was done is not given.
 */
export async function readsGoBack(lab: Lab): Promise<boolean> {
  return await lab.run.once('reads that go back', async () => {
    const { submit, approve } = lab.target.operations;
    if (!submit) return false;
    const [draft] = await whereReachable(() => reach(lab, 'DRAFT'));
    if (!draft || !isSuccess(await perform(lab, 'submit', draft.id))) return false;
    const first = await shown(lab, draft);
    // At once: what is shown of it late is what there was before both.
    if (approve) await perform(lab, 'approve', draft.id);
    return await goesBack(lab, draft, first === 'DRAFT' ? ['DRAFT'] : ['DRAFT', first]);
  });
}

async function shown(lab: Lab, { id }: Invoice): Promise<string> {
  return String((await look(lab, id)).record?.status ?? 'DRAFT');
}

/** Looked at often from the first: the copies differ for no longer than the slower of them takes. Adds to the states that it was `seen` in. */
async function goesBack(lab: Lab, invoice: Invoice, seen: string[]): Promise<boolean> {
  const within = Math.max(LEAST_MS, lab.target.limits.settleWithinMs);
  let end = performance.now() + within;
  for (; performance.now() < end; await pause(LOOK_EVERY_MS)) {
    const status = await shown(lab, invoice);
    if (status === seen.at(-1)) continue;
    if (seen.includes(status)) return true;
    seen.push(status);
    if (seen.length === 2) end = performance.now() + within;
  }
  return false;
}
