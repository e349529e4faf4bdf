import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import { readInvoice } from '../api/operations.ts';
import { type ApiResponse, invoiceIn, isInsufficientFunds, isNotStateError, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { performAction } from '../invoices/acting-party.ts';
import { waitForArrival } from '../invoices/find-invoice.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  mayReach,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { expectStateRejection } from './rejected-action.ts';

/** Transitions, each with an action that the old state offers and the new state does not. */
const NO_LONGER_OFFERED = { submit: 'delete', approve: 'cancel', cancel: 'approve', settle: 'settle' } as const;

export type MoveAction = keyof typeof NO_LONGER_OFFERED;

/**
 * Performs an action right after both parties have read the invoice, a new one unless one is given. Null if this is not
 * possible.
 */
async function moveAfterReading(
  ctx: CheckContext,
  move: InvoiceAction,
  given?: Invoice | null,
): Promise<{ invoice: Invoice; response: ApiResponse } | null> {
  const from = stateOffering(move);
  const bound = ctx.target.operations[move] && mayReach(ctx, from);
  if (!bound || !(await runActionControl(ctx, move))) return null;
  const [invoice] = given?.state === from ? [given] : await ifReachable(() => createInvoiceInState(ctx, from));
  if (!invoice) return null;
  await Promise.all(
    ctx.availableActors('seller', 'buyer').map((name) => readInvoice(ctx, invoice.id, { as: ctx.credentials(name) })),
  );
  return { invoice, response: await performAction(ctx, move, invoice.id) };
}

/**
 * Throws a Breach if the server rejects an offered action after both parties have read the invoice. False if this cannot
 * be tried.
 */
export async function expectOfferedAfterReading(ctx: CheckContext, move: InvoiceAction): Promise<boolean> {
  const moved = await moveAfterReading(ctx, move);
  if (!moved) return false;
  const { invoice, response } = moved;
  if (isInsufficientFunds(response) || isNotStateError(response)) return false;
  const what = `the ${move} action on a ${invoice.state} invoice that both parties have just read`;
  await expectOffered(ctx, invoice, response, what);
  if (move === 'delete') ctx.run.leftovers.recordDeleted(invoice.id);
  return true;
}

/**
 * Throws a Breach if the server still accepts an action of the old state after the transition. Returns the invoice in its
 * new state, null if this cannot be tried.
 */
export async function expectRejectedAfterReading(
  ctx: CheckContext,
  move: MoveAction,
  given: Invoice | null = null,
): Promise<Invoice | null> {
  const rejected = NO_LONGER_OFFERED[move];
  if (!ctx.target.operations[rejected] || !(await runActionControl(ctx, rejected))) return null;
  const moved = await moveAfterReading(ctx, move, given);
  if (!moved || !isSuccess(moved.response)) return null;
  const { invoice, response } = moved;
  const to = lifecycle.leadsTo[move] as InvoiceState;
  // A further read could refresh a cache, so the response is enough if it shows the new state.
  if (invoiceIn(response)?.status !== to && !(await waitForArrival(ctx, invoice.id, to)).isMet) return null;
  const now = { ...invoice, state: to };
  recordInvoiceState(ctx, now);
  await expectStateRejection(ctx, rejected, now, { conflict: true, worksElsewhere: true });
  return now;
}
