import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { ActionOptions } from '../api/requests.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, check } from '../context/check.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { withSharedInvoice } from '../fixtures/borrowed-invoices.ts';
import { performOnNewInvoice } from '../invoices/action-on-new-invoice.ts';
import { findSettledInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, isSettlingUnapproved, needsToReach, rejectedCheckId } from '../invoices/invoices.ts';
import { expectStateRejection } from './rejected-action.ts';
import { expectRepetitionsRejected } from './repeated-rejections.ts';
import { expectInvoiceUnchanged } from './unchanged-invoices.ts';

export async function performInState(
  ctx: CheckContext,
  state: InvoiceState,
  action: InvoiceAction,
  extra: Omit<ActionOptions, 'as'> = {},
) {
  return await performOnNewInvoice(ctx, action, (ctx) => createInvoiceInState(ctx, state), extra);
}

export function rejectedActionCheck(state: InvoiceState, action: InvoiceAction): Check {
  const needs = ['connection', ...needsToReach(state), action] as const;
  return check(rejectedCheckId(state, action), needs, (ctx) =>
    withSharedInvoice(ctx, state, async (invoice) => {
      const worksElsewhere = await runActionControl(ctx, action);
      const { record: before } = await findSettledInvoice(ctx, invoice);
      const expected = { conflict: !isSettlingUnapproved(state, action), worksElsewhere };
      await expectStateRejection(ctx, action, invoice, expected);
      await expectRepetitionsRejected(ctx, action, invoice, expected);
      await expectInvoiceUnchanged(ctx, invoice, before);
    }),
  );
}

type TableCell = readonly [InvoiceState, InvoiceAction];

/** The cells of the contract's table for which `isWanted` holds. */
export function filterTableCells(isWanted: (state: InvoiceState, action: InvoiceAction) => boolean): TableCell[] {
  const all = lifecycle.states.flatMap((state) => lifecycle.actions.map((action): TableCell => [state, action]));
  return all.filter(([state, action]) => isWanted(state, action));
}

/** Whether the table offers the action in this state. */
export function isOffered(state: InvoiceState, action: InvoiceAction): boolean {
  return lifecycle.offered[state].includes(action);
}

/** Whether rule 1 rejects the action in this state. Rule 2 covers the settlement of an unapproved invoice. */
export function isRejectedInState(state: InvoiceState, action: InvoiceAction): boolean {
  return !isOffered(state, action) && !isSettlingUnapproved(state, action);
}
