import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import { isSuccess } from '../api/responses.ts';
import { blockedBy } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { perform } from '../invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../invoices/find-invoice.ts';
import { type Invoice, keepTrack, outcomeCheck, reach } from '../invoices/invoices.ts';

/**
 * Throws Blocked where an action that was accepted has changed nothing, and changes nothing for the party that may perform it
 * either: then no key was let do anything. Where a resolution leads is not shown.
 */
export async function expectEffectAtAll(lab: Lab, action: InvoiceAction, { id, state }: Invoice): Promise<void> {
  if (action === 'resolve') return;
  const left = hasLeft(state, action === 'delete');
  if ((await lookUntil(lab, id, left)).held) return;
  const own = await reach(lab, state);
  if (!isSuccess(await perform(lab, action, own.id))) return;
  if (!(await lookUntil(lab, own.id, left)).held) {
    blockedBy(outcomeCheck(action), `${action} is accepted of everybody, and leaves an invoice ${state}`);
  }
  const to = lifecycle.leadsTo[action];
  if (to) keepTrack(lab, { id: own.id, state: to });
  else lab.run.removed(own.id);
}
