import { NotApplicable } from '../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import { requireBinding } from '../api/requests.ts';
import { isSuccess, skipIfInsufficientFunds } from '../api/responses.ts';
import { type ActionTrial, actionTrial } from '../bindings/action-proof.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult, sharedResultBy } from '../context/shared-result.ts';
import { performAction } from '../invoices/acting-party.ts';
import { createInvoice, createInvoiceInState, endWithRejectedOffer, stateOffering } from '../invoices/invoices.ts';

/**
 * The control of every rejected creation: the same request without the defect is accepted in this run. Throws Blocked
 * when it is not.
 */
export async function runCreationControl(ctx: CheckContext): Promise<void> {
  await controlCreation(ctx);
}

const controlCreation = sharedResult((ctx) => createInvoice(ctx));

/**
 * The control of every rejected action: the same action is accepted in this run where the lifecycle table offers it.
 * False when no invoice reaches that state; throws Blocked when the action is rejected there.
 */
export async function runActionControl(ctx: CheckContext, action: InvoiceAction): Promise<boolean> {
  requireBinding(ctx, action);
  return await isAccepted(ctx, action);
}

const isAccepted = sharedResultBy(async (ctx, action: InvoiceAction): Promise<boolean> => {
  try {
    const { state, invoice, response } = (await actionTrial(ctx, action)) ?? (await runOwnTrial(ctx, action));
    skipIfInsufficientFunds(response);
    if (!isSuccess(response)) await endWithRejectedOffer(ctx, invoice.id, state, action, response);
    if (action === 'delete') ctx.run.leftovers.recordDeleted(invoice.id);
    return true;
  } catch (error) {
    if (error instanceof NotApplicable) return false;
    throw error;
  }
});

/** The trial in the context of a check, which reports what prevents it. Throws Blocked. */
async function runOwnTrial(ctx: CheckContext, action: InvoiceAction): Promise<ActionTrial> {
  requireBinding(ctx, action);
  const state = stateOffering(action);
  const invoice = await createInvoiceInState(ctx, state);
  return { state, invoice, response: await performAction(ctx, action, invoice.id) };
}
