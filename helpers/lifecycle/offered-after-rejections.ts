import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import { performable } from '../adaptation/performable-actions.ts';
import { blamesNotTheState, isForFunds } from '../api/error-codes.ts';
import { act } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { isIrrevocable } from '../context/leftover-reason.ts';
import { actionWorks } from '../controls/controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { partyFor, perform } from '../invoices/acting-party.ts';
import { keepTrack, reach, stateOffering, whereReachable } from '../invoices/invoices.ts';
import { wentAllTheWay } from './variant-lifecycle.ts';

/**
 * What the state of an invoice offers is accepted after all else was refused, too: a refusal leaves nothing behind. Throws a Breach,
 * otherwise tells of how many actions that was seen.
 */
export async function expectOfferedAfterRefusals(lab: Lab): Promise<number> {
  const seen = await Promise.all(performable(lab).map((action) => offeredAfterRefusals(lab, action)));
  return seen.filter(Boolean).length;
}

async function offeredAfterRefusals(lab: Lab, action: InvoiceAction): Promise<boolean> {
  const state = stateOffering(action);
  if (!(await actionWorks(lab, action))) return false;
  // What is approved stays behind; elsewhere all else was refused before it, too.
  if (isIrrevocable(action) && (await wentAllTheWay(lab, 'most'))) return true;
  const [invoice] = await whereReachable(() => reach(lab, state));
  if (!invoice) return false;
  const others = lifecycle.actions.filter(
    (other) => lab.target.operations[other] && !lifecycle.offered[state].includes(other),
  );
  for (const other of others) {
    // That it is refused is judged elsewhere.
    if (isSuccess(await act(lab, other, invoice.id, { as: lab.who(partyFor(lab, other)) }))) return false;
  }
  const answer = await perform(lab, action, invoice.id);
  if (isForFunds(answer) || blamesNotTheState(answer)) return false;
  await expectOffered(lab, invoice, answer, `${action} of a ${state} invoice after ${others.join(', ')} were refused`);
  const to = lifecycle.leadsTo[action];
  if (action === 'delete') lab.run.removed(invoice.id);
  else if (to) keepTrack(lab, { id: invoice.id, state: to });
  return true;
}
