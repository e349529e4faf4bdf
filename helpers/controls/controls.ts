import { NotApplicable } from '../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { skipIfInsufficientFunds } from '../api/error-codes.ts';
import { requireBinding } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { type ActionTrial, actionTrial } from '../bindings/action-proof.ts';
import type { CheckContext } from '../context/check-context.ts';
import { performAction } from '../invoices/acting-party.ts';
import { blockByRejectedOffer, createInvoice, createInvoiceInState, stateOffering } from '../invoices/invoices.ts';

/**
 * The control of every refused creation: the same request without the defect is accepted in this run.
 * Throws Blocked when it is not.
 */
export async function runCreationControl(lab: CheckContext): Promise<void> {
  await lab.run.memoize('control: create', () => createInvoice(lab));
}

/**
 * The control of every refused action: the same action is accepted in this run where the table offers it. False when no
 * invoice ever comes into that state. Throws Blocked when the action is refused even there.
 */
export async function runActionControl(lab: CheckContext, action: InvoiceAction): Promise<boolean> {
  requireBinding(lab, action);
  return await lab.run.memoize(`control: ${action}`, async () => {
    try {
      const { state, invoice, answer } = (await actionTrial(lab, action)) ?? (await runOwnTrial(lab, action));
      skipIfInsufficientFunds(answer);
      if (!isSuccess(answer)) await blockByRejectedOffer(lab, invoice.id, state, action, answer);
      if (action === 'delete') lab.run.recordDeleted(invoice.id);
      return true;
    } catch (error) {
      if (error instanceof NotApplicable) return false;
      throw error;
    }
  });
}

/** The trial in a check's own name, which says what keeps it from being made. Throws Blocked. */
async function runOwnTrial(lab: CheckContext, action: InvoiceAction): Promise<ActionTrial> {
  requireBinding(lab, action);
  const state = stateOffering(action);
  const invoice = await createInvoiceInState(lab, state);
  return { state, invoice, answer: await performAction(lab, action, invoice.id) };
}
