import { NoResponse } from '../../engine/model/outcomes.ts';
import { type InvoiceAction, type InvoiceState, isIrreversible, lifecycle } from '../../specs/contract/lifecycle.ts';
import { performableActions } from '../adaptation/performable-actions.ts';
import { sendAction } from '../api/operations.ts';
import { isInsufficientFunds, isNotStateError, isSuccess, responseOrUnanswered } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { partyFor, performAction } from '../invoices/acting-party.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { expectSingleStateRejection, type RejectionOptions } from './rejected-action.ts';
import { completedVariant } from './sequences/variant-lifecycle.ts';

/**
 * Throws a Breach if the server rejects an offered action after it rejected all others in the same state. Returns the number
 * of actions tried.
 */
export async function expectOfferedAfterRejections(ctx: CheckContext): Promise<number> {
  const seen = await Promise.all(performableActions(ctx).map((action) => expectActionAfterRejections(ctx, action)));
  return seen.filter(Boolean).length;
}

async function expectActionAfterRejections(ctx: CheckContext, action: InvoiceAction): Promise<boolean> {
  const state = stateOffering(action);
  if (!(await runActionControl(ctx, action))) return false;
  // An approved invoice cannot be removed; the lifecycle of this variant has already tried the same.
  if (isIrreversible(action) && (await completedVariant(ctx, 'most'))) return true;
  const [invoice] = await ifReachable(() => createInvoiceInState(ctx, state));
  if (!invoice) return false;
  const others = lifecycle.actions.filter(
    (other) => ctx.target.operations[other] && !lifecycle.offered[state].includes(other),
  );
  for (const other of others) {
    const as = ctx.credentials(partyFor(ctx, other));
    const rejected = await responseOrUnanswered(() => sendAction(ctx, other, invoice.id, { as }));
    // The rejection is judged by another check.
    if (rejected instanceof NoResponse || isSuccess(rejected)) return false;
  }
  const response = await performAction(ctx, action, invoice.id);
  if (isInsufficientFunds(response) || isNotStateError(response)) return false;
  await expectOffered(
    ctx,
    invoice,
    response,
    `the ${action} action on a ${state} invoice after rejected actions (${others.join(', ')})`,
  );
  const to = lifecycle.leadsTo[action];
  if (action === 'delete') ctx.run.leftovers.recordDeleted(invoice.id);
  else if (to) recordInvoiceState(ctx, { id: invoice.id, state: to });
  return true;
}

/** In each state, the action that does most harm if it is accepted. */
const REPEATED_ACTIONS: Record<InvoiceState, InvoiceAction> = {
  DRAFT: 'approve',
  SUBMITTED: 'settle',
  APPROVED: 'cancel',
  DISPUTED: 'approve',
  SETTLED: 'settle',
  CANCELLED: 'approve',
};

/** With the two requests before, more than a lock that opens after five rejections. */
const REPETITIONS = 4;

/**
 * Repeats a rejected action, for one action in each state. Throws a Breach if the server accepts it after several
 * rejections.
 */
export async function expectRepetitionsRejected(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  expected: RejectionOptions,
): Promise<void> {
  if (REPEATED_ACTIONS[invoice.state] !== action) return;
  for (let time = 0; time < REPETITIONS; time += 1) {
    // Otherwise the server rejects the party, whatever the state is.
    if (!(await expectSingleStateRejection(ctx, action, invoice, expected))) return;
  }
}
