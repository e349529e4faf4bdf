import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { mayReach, stateOffering } from '../invoices/invoices.ts';

/** The actions that this target can perform: each step that leads there is bound and has a key. */
export function performableActions(ctx: CheckContext): InvoiceAction[] {
  const { operations, actors } = ctx.target;
  return lifecycle.actions.filter((action) => {
    return operations[action] && mayReach(ctx, stateOffering(action)) && actors[partyFor(ctx, action)];
  });
}
