import { findActionPath, type InvoiceAction, type InvoiceState, lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { ActionOptions } from '../../api/requests.ts';
import {
  type ApiResponse,
  describeResponse,
  invoiceIn,
  isNotStateError,
  skipIfInsufficientFunds,
} from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { fieldIs } from '../../assert/expectations.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { runActionControl } from '../../controls/positive-controls.ts';
import { expectOffered } from '../../controls/spontaneous-change.ts';
import { performAction } from '../../invoices/acting-party.ts';
import { findSettledInvoice, hasReached, waitForArrival } from '../../invoices/find-invoice.ts';
import {
  type Invoice,
  ifReachable,
  isInvoiceState,
  isSettlingUnapproved,
  mayReach,
  moveToState,
  outcomeCheckId,
  recordInvoiceState,
  stateOffering,
} from '../../invoices/invoices.ts';
import { blockIfEffectLate } from '../../invoices/late-effect.ts';
import { repeatIfRequired } from '../../invoices/repeated-action.ts';
import { expectSingleStateRejection } from '../rejected-action.ts';
import { expectInvoiceUnchanged } from '../unchanged-invoices.ts';

/**
 * The server accepts each action up to the end state, and the status in each response becomes true. Throws a Breach otherwise.
 */
export async function expectLifecycleCompletes(
  ctx: CheckContext,
  invoice: Invoice,
  what: string,
  lastState: InvoiceState = 'SETTLED',
  extra: Omit<ActionOptions, 'as'> = {},
): Promise<void> {
  const actionPath = findActionPath(invoice.state, lastState) ?? [];
  skipIfWithoutActions(actionPath, invoice);
  for (const action of actionPath) {
    const to = lifecycle.leadsTo[action] as InvoiceState;
    if (hasReached(invoice.state, to)) continue;
    await skipUnlessActionWorks(ctx, action);
    invoice.hasPendingAction = true;
    const response = await performAction(ctx, action, invoice.id, extra);
    skipIfInsufficientFunds(response);
    skipIfRejectedForOtherReason(response, `the ${action} action on ${what}`);
    await expectOffered(ctx, invoice, response, `the ${action} action on ${what}`);
    // A second request must not hide a status that the response shows and that is not true.
    if (invoiceIn(response)?.status !== to)
      await repeatIfRequired(ctx, { action, id: invoice.id, from: invoice.state });
    const { record, response: seen } = await waitForArrival(ctx, invoice.id, to);
    if (record?.status === invoice.state) await expectNoFalseStatus(ctx, invoice, response, seen);
    if (isInvoiceState(record?.status)) invoice.state = record.status;
    const isOnPath = hasReached(record?.status, to) && findActionPath(record.status, lastState) !== null;
    if (!isOnPath) return skipForOtherOutcome(action, to);
    invoice.hasPendingAction = false;
    recordInvoiceState(ctx, invoice);
  }
}

function skipIfWithoutActions(actionPath: readonly InvoiceAction[], { state }: Invoice): void {
  if (actionPath.length === 0) notApplicable(`a new invoice is already ${state}`);
}

async function skipUnlessActionWorks(ctx: CheckContext, action: InvoiceAction): Promise<void> {
  if (!(await runActionControl(ctx, action)))
    notApplicable(
      `the kit could not try ${action}: no invoice reached ${stateOffering(action)}, or the funds were insufficient`,
    );
}

function skipIfRejectedForOtherReason(response: ApiResponse, what: string): void {
  if (isNotStateError(response)) notApplicable(`the server rejects ${what}: ${describeResponse(response)}`);
}

function skipForOtherOutcome(action: InvoiceAction, to: InvoiceState): never {
  return notApplicable(`the ${action} action does not lead to ${to} on this server`, {
    judgedBy: outcomeCheckId(action),
  });
}

/**
 * An accepted action may take effect later, for example after a second approval or at the due date. Throws a Breach if its
 * response shows a status that does not become true.
 */
export async function expectNoFalseStatus(
  ctx: CheckContext,
  { id, state }: Invoice,
  response: ApiResponse,
  seen: ApiResponse,
): Promise<void> {
  const shown = invoiceIn(response)?.status;
  ctx.observe('action-delay', `${response.request.operation} does not change the state ${state} at first`);
  const because = `the invoice is still ${state}`;
  if (!isInvoiceState(shown) || shown === state) return;
  await blockIfEffectLate(ctx, { id, from: state, response });
  throw breach(
    ctx,
    seen,
    `status ${shown}, as in the response to the action`,
    because,
    [response],
    fieldIs(seen, 'status', shown),
  );
}

/**
 * Throws a Breach if the server accepts an action that the state does not offer. False if the invoice cannot reach the
 * state.
 */
export async function expectUnofferedRejected(ctx: CheckContext, state: InvoiceState, made: Invoice): Promise<boolean> {
  const { operations } = ctx.target;
  if (!mayReach(ctx, state)) return false;
  const [invoice] = await ifReachable(() => moveToState(ctx, made, state));
  if (!invoice) return false;
  const { record: before } = await findSettledInvoice(ctx, invoice);
  for (const action of lifecycle.actions) {
    if (!operations[action] || lifecycle.offered[state].includes(action)) continue;
    const worksElsewhere = await runActionControl(ctx, action);
    await expectSingleStateRejection(ctx, action, invoice, {
      conflict: !isSettlingUnapproved(state, action),
      worksElsewhere,
    });
  }
  await expectInvoiceUnchanged(ctx, invoice, before);
  return true;
}
