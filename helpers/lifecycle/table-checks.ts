import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import type { ActExtra } from '../api/operations.ts';
import type { Check } from '../context/check.ts';
import { check } from '../context/check.ts';
import type { Lab } from '../context/check-context.ts';
import { actionWorks } from '../controls/controls.ts';
import { borrowing } from '../fixtures/borrowed-invoices.ts';
import { perform } from '../invoices/acting-party.ts';
import { lookSettled } from '../invoices/find-invoice.ts';
import { operationsTo, reach, refusedCheck, settlesUnapproved } from '../invoices/invoices.ts';
import { expectStateRefusal, expectUnmoved } from './rejected-action.ts';

export async function performed(
  lab: Lab,
  state: InvoiceState,
  action: InvoiceAction,
  extra: Omit<ActExtra, 'as'> = {},
) {
  const invoice = await reach(lab, state);
  return { invoice, answer: await perform(lab, action, invoice.id, extra) };
}

export function rejectedActionCheck(state: InvoiceState, action: InvoiceAction): Check {
  const needs = ['connection', ...operationsTo(state), action] as const;
  return check(refusedCheck(state, action), needs, (lab) =>
    borrowing(lab, state, async (invoice) => {
      const worksElsewhere = await actionWorks(lab, action);
      const { record: before } = await lookSettled(lab, invoice);
      await expectStateRefusal(lab, action, invoice, {
        conflict: !settlesUnapproved(state, action),
        worksElsewhere,
      });
      await expectUnmoved(lab, invoice, before);
    }),
  );
}

type Cell = readonly [InvoiceState, InvoiceAction];

/** The states and actions of the contract's table for which `isWanted` holds. */
export function cellsWhere(isWanted: (state: InvoiceState, action: InvoiceAction) => boolean): Cell[] {
  const all = lifecycle.states.flatMap((state) => lifecycle.actions.map((action): Cell => [state, action]));
  return all.filter(([state, action]) => isWanted(state, action));
}

/** Whether the table offers the action in this state. */
export function isOffered(state: InvoiceState, action: InvoiceAction): boolean {
  return lifecycle.offered[state].includes(action);
}

/** Whether rule 1 rejects the action in this state. Rule 2 has the settlement of an invoice that was never approved. */
export function isRejected(state: InvoiceState, action: InvoiceAction): boolean {
  return !isOffered(state, action) && !settlesUnapproved(state, action);
}
