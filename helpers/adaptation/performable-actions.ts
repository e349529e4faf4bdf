import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import type { Lab } from '../context/check-context.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { operationsTo, stateOffering } from '../invoices/invoices.ts';

/** The actions of which this target can show every step: each one on the way is bound, and there is a key to perform it. */
export function performable(lab: Lab): InvoiceAction[] {
  const { operations, actors } = lab.target;
  return lifecycle.actions.filter((action) => {
    const needed = [action, ...operationsTo(stateOffering(action))];
    return needed.every((each) => operations[each]) && actors[partyFor(lab, action)];
  });
}
