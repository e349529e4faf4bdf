import { NotApplicable } from '../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { expectFunds } from '../api/error-codes.ts';
import { binding } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { type ActionTrial, actionTrial } from '../bindings/action-proof.ts';
import type { Lab } from '../context/check-context.ts';
import { perform } from '../invoices/acting-party.ts';
import { freshInvoice, reach, refusedWhereOffered, stateOffering } from '../invoices/invoices.ts';

/**
 * The control of every refused creation: the same request without the defect is accepted in this run.
 * Throws Blocked when it is not.
 */
export async function creationWorks(lab: Lab): Promise<void> {
  await lab.run.once('control: create', () => freshInvoice(lab));
}

/**
 * The control of every refused action: the same action is accepted in this run where the table offers it. False when no
 * invoice ever comes into that state. Throws Blocked when the action is refused even there.
 */
export async function actionWorks(lab: Lab, action: InvoiceAction): Promise<boolean> {
  binding(lab, action);
  return await lab.run.once(`control: ${action}`, async () => {
    try {
      const { state, invoice, answer } = (await actionTrial(lab, action)) ?? (await ownTrial(lab, action));
      expectFunds(answer);
      if (!isSuccess(answer)) await refusedWhereOffered(lab, invoice.id, state, action, answer);
      if (action === 'delete') lab.run.removed(invoice.id);
      return true;
    } catch (error) {
      if (error instanceof NotApplicable) return false;
      throw error;
    }
  });
}

/** The trial in a check's own name, which says what keeps it from being made. Throws Blocked. */
async function ownTrial(lab: Lab, action: InvoiceAction): Promise<ActionTrial> {
  binding(lab, action);
  const state = stateOffering(action);
  const invoice = await reach(lab, state);
  return { state, invoice, answer: await perform(lab, action, invoice.id) };
}
