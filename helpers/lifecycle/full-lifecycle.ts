import { findActionPath, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { isNotStateError, skipIfInsufficientFunds } from '../api/error-codes.ts';
import type { ActionOptions } from '../api/operations.ts';
import { type ApiResponse, describeResponse, invoiceIn } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findSettledInvoice, waitForInvoice } from '../invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  type Invoice,
  ifReachable,
  isInvoiceState,
  isSettlingUnapproved,
  moveToState,
  recordInvoiceState,
} from '../invoices/invoices.ts';
import { blockIfEffectLate } from '../invoices/late-effect.ts';
import { expectInvoiceUnchanged, expectSingleStateRejection } from './rejected-action.ts';

/** Each action on the way to its settlement, or so far, is accepted, and what the answer to it tells of its state comes true. */
export async function expectLifecycleCompletes(
  ctx: CheckContext,
  invoice: Invoice,
  what: string,
  end: InvoiceState = 'SETTLED',
  extra: Omit<ActionOptions, 'as'> = {},
): Promise<void> {
  const way = findActionPath(invoice.state, end) ?? [];
  if (way.length === 0) return notApplicable(`new invoices are ${invoice.state}`);
  for (const action of way) {
    if (!(await runActionControl(ctx, action))) notApplicable(`${action} is not seen to be accepted of any invoice`);
    invoice.hasPendingAction = true;
    const response = await performAction(ctx, action, invoice.id, extra);
    skipIfInsufficientFunds(response);
    if (isNotStateError(response))
      return notApplicable(`${action} of ${what} is refused: ${describeResponse(response)}`);
    await expectOffered(ctx, invoice, response, `${action} of ${what}`);
    const to = lifecycle.leadsTo[action] as InvoiceState;
    const { held, record, response: seen } = await waitForInvoice(ctx, invoice.id, (found) => found?.status === to);
    if (!held) {
      if (record?.status === invoice.state) await expectNoFalseStatus(ctx, invoice, response, seen);
      return notApplicable(`${action} does not lead to ${to} here; LIFE-04 judges that`);
    }
    invoice.state = to;
    invoice.hasPendingAction = false;
    recordInvoiceState(ctx, invoice);
  }
}

/**
 * An accepted action may leave the invoice where it is for now: a second person has to approve, or it is paid when due. What
 * is told in the answer to it must be so, though.
 */
export async function expectNoFalseStatus(
  ctx: CheckContext,
  { id, state }: Invoice,
  response: ApiResponse,
  seen: ApiResponse,
): Promise<void> {
  const told = invoiceIn(response)?.status;
  ctx.observe('action-delay', `${response.request.operation} leaves it ${state} for now`);
  const because = `it is still ${state}`;
  if (!isInvoiceState(told) || told === state) return;
  await blockIfEffectLate(ctx, { id, from: state, response: response });
  throw breach(ctx, seen, `status ${told}, as the answer to it says`, because, [response]);
}

/** What the state of an invoice does not offer is refused in it; false where the invoice cannot be brought there. */
export async function expectUnofferedRejected(ctx: CheckContext, state: InvoiceState, made: Invoice): Promise<boolean> {
  const { operations } = ctx.target;
  if (!actionsLeadingTo(state).every((action) => operations[action])) return false;
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
