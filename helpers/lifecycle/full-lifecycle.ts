import { findActionPath, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { isNotStateError, skipIfInsufficientFunds } from '../api/error-codes.ts';
import type { ActionOptions } from '../api/operations.ts';
import { type ApiResponse, describeResponse, invoiceIn } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runActionControl } from '../controls/controls.ts';
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
  lab: CheckContext,
  invoice: Invoice,
  what: string,
  end: InvoiceState = 'SETTLED',
  extra: Omit<ActionOptions, 'as'> = {},
): Promise<void> {
  const way = findActionPath(invoice.state, end) ?? [];
  if (way.length === 0) return notApplicable(`new invoices are ${invoice.state}`);
  for (const action of way) {
    if (!(await runActionControl(lab, action))) notApplicable(`${action} is not seen to be accepted of any invoice`);
    invoice.hasPendingAction = true;
    const answer = await performAction(lab, action, invoice.id, extra);
    skipIfInsufficientFunds(answer);
    if (isNotStateError(answer)) return notApplicable(`${action} of ${what} is refused: ${describeResponse(answer)}`);
    await expectOffered(lab, invoice, answer, `${action} of ${what}`);
    const to = lifecycle.leadsTo[action] as InvoiceState;
    const { held, record, response: seen } = await waitForInvoice(lab, invoice.id, (found) => found?.status === to);
    if (!held) {
      if (record?.status === invoice.state) await expectNoFalseStatus(lab, invoice, answer, seen);
      return notApplicable(`${action} does not lead to ${to} here; LIFE-04 judges that`);
    }
    invoice.state = to;
    invoice.hasPendingAction = false;
    recordInvoiceState(lab, invoice);
  }
}

/**
 * An accepted action may leave the invoice where it is for now: a second person has to approve, or it is paid when due. What
 * is told in the answer to it must be so, though.
 */
export async function expectNoFalseStatus(
  lab: CheckContext,
  { id, state }: Invoice,
  answer: ApiResponse,
  seen: ApiResponse,
): Promise<void> {
  const told = invoiceIn(answer)?.status;
  lab.observe('action-delay', `${answer.request.operation} leaves it ${state} for now`);
  const because = `it is still ${state}`;
  if (!isInvoiceState(told) || told === state) return;
  await blockIfEffectLate(lab, { id, from: state, response: answer });
  throw breach(lab, seen, `status ${told}, as the answer to it says`, because, [answer]);
}

/** What the state of an invoice does not offer is refused in it; false where the invoice cannot be brought there. */
export async function expectUnofferedRejected(lab: CheckContext, state: InvoiceState, made: Invoice): Promise<boolean> {
  const { operations } = lab.target;
  if (!actionsLeadingTo(state).every((action) => operations[action])) return false;
  const [invoice] = await ifReachable(() => moveToState(lab, made, state));
  if (!invoice) return false;
  const { record: before } = await findSettledInvoice(lab, invoice);
  for (const action of lifecycle.actions) {
    if (!operations[action] || lifecycle.offered[state].includes(action)) continue;
    const worksElsewhere = await runActionControl(lab, action);
    await expectSingleStateRejection(lab, action, invoice, {
      conflict: !isSettlingUnapproved(state, action),
      worksElsewhere,
    });
  }
  await expectInvoiceUnchanged(lab, invoice, before);
  return true;
}
