import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { isInsufficientFunds, isNotStateError } from '../api/error-codes.ts';
import { readInvoice } from '../api/operations.ts';
import { type ApiResponse, invoiceIn, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runActionControl } from '../controls/controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { performAction } from '../invoices/acting-party.ts';
import { waitForInvoice } from '../invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  createInvoiceInState,
  type Invoice,
  ifReachable,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { expectStateRejection } from './rejected-action.ts';

/** What moves an invoice on, and what its state before offered and the new one does not. */
const NO_LONGER_OFFERED = { submit: 'delete', approve: 'cancel', cancel: 'approve', settle: 'settle' } as const;

export type MoveAction = keyof typeof NO_LONGER_OFFERED;

/** What becomes of an invoice, new unless one is given, that both parties have just read; null where it cannot be tried. */
async function moveAfterReading(
  lab: CheckContext,
  move: InvoiceAction,
  given?: Invoice | null,
): Promise<{ invoice: Invoice; answer: ApiResponse } | null> {
  const from = stateOffering(move);
  const bound = [...actionsLeadingTo(from), move].every((action) => lab.target.operations[action]);
  if (!bound || !(await runActionControl(lab, move))) return null;
  const [invoice] = given?.state === from ? [given] : await ifReachable(() => createInvoiceInState(lab, from));
  if (!invoice) return null;
  await Promise.all(
    lab.availableActors('seller', 'buyer').map((name) => readInvoice(lab, invoice.id, { as: lab.credentials(name) })),
  );
  return { invoice, answer: await performAction(lab, move, invoice.id) };
}

/** It moves on, and is no worse off for having been read; false where it cannot be tried. */
export async function expectOfferedAfterReading(lab: CheckContext, move: InvoiceAction): Promise<boolean> {
  const moved = await moveAfterReading(lab, move);
  if (!moved) return false;
  const { invoice, answer } = moved;
  if (isInsufficientFunds(answer) || isNotStateError(answer)) return false;
  await expectOffered(lab, invoice, answer, `${move} of a ${invoice.state} invoice that both parties have just read`);
  if (move === 'delete') lab.run.recordDeleted(invoice.id);
  return true;
}

/** It moves on, and what it offered until then is refused; the invoice as it is then, null where it cannot be tried. */
export async function expectRejectedAfterReading(
  lab: CheckContext,
  move: MoveAction,
  given: Invoice | null = null,
): Promise<Invoice | null> {
  const refused = NO_LONGER_OFFERED[move];
  if (!lab.target.operations[refused] || !(await runActionControl(lab, refused))) return null;
  const moved = await moveAfterReading(lab, move, given);
  if (!moved || !isSuccess(moved.answer)) return null;
  const { invoice, answer } = moved;
  const to = lifecycle.leadsTo[move] as InvoiceState;
  // A look would be another reading: where the answer tells that it is done, none is needed.
  if (
    invoiceIn(answer)?.status !== to &&
    !(await waitForInvoice(lab, invoice.id, (found) => found?.status === to)).held
  )
    return null;
  const now = { ...invoice, state: to };
  recordInvoiceState(lab, now);
  await expectStateRejection(lab, refused, now, { conflict: true, worksElsewhere: true });
  return now;
}
