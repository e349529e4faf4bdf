import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import { performableActions } from '../adaptation/performable-actions.ts';
import { isInsufficientFunds, isNotStateError } from '../api/error-codes.ts';
import { sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isIrreversible } from '../context/leftover-reason.ts';
import { runActionControl } from '../controls/controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { partyFor, performAction } from '../invoices/acting-party.ts';
import { createInvoiceInState, ifReachable, recordInvoiceState, stateOffering } from '../invoices/invoices.ts';
import { completedVariant } from './variant-lifecycle.ts';

/**
 * What the state of an invoice offers is accepted after all else was refused, too: a refusal leaves nothing behind. Throws a Breach,
 * otherwise tells of how many actions that was seen.
 */
export async function expectOfferedAfterRejections(lab: CheckContext): Promise<number> {
  const seen = await Promise.all(performableActions(lab).map((action) => expectActionAfterRejections(lab, action)));
  return seen.filter(Boolean).length;
}

async function expectActionAfterRejections(lab: CheckContext, action: InvoiceAction): Promise<boolean> {
  const state = stateOffering(action);
  if (!(await runActionControl(lab, action))) return false;
  // What is approved stays behind; elsewhere all else was refused before it, too.
  if (isIrreversible(action) && (await completedVariant(lab, 'most'))) return true;
  const [invoice] = await ifReachable(() => createInvoiceInState(lab, state));
  if (!invoice) return false;
  const others = lifecycle.actions.filter(
    (other) => lab.target.operations[other] && !lifecycle.offered[state].includes(other),
  );
  for (const other of others) {
    // That it is refused is judged elsewhere.
    if (isSuccess(await sendAction(lab, other, invoice.id, { as: lab.credentials(partyFor(lab, other)) })))
      return false;
  }
  const answer = await performAction(lab, action, invoice.id);
  if (isInsufficientFunds(answer) || isNotStateError(answer)) return false;
  await expectOffered(lab, invoice, answer, `${action} of a ${state} invoice after ${others.join(', ')} were refused`);
  const to = lifecycle.leadsTo[action];
  if (action === 'delete') lab.run.recordDeleted(invoice.id);
  else if (to) recordInvoiceState(lab, { id: invoice.id, state: to });
  return true;
}
