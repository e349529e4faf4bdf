import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { ApiResponse } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { runActionControl } from '../controls/positive-controls.ts';
import { createUntouchedInvoices } from '../controls/untouched-group.ts';
import { withSharedInvoice } from '../fixtures/borrowed-invoices.ts';
import { findSettledInvoice } from '../invoices/find-invoice.ts';
import { expectInvoiceUnchanged } from './unchanged-invoices.ts';

/** Sends an action that must be rejected and judges the response. Null if the key has no permission for the operation. */
export type ActionAttempt = (tried: { action: InvoiceAction; id: string }) => Promise<ApiResponse | null>;

/**
 * Tries actions that must be rejected on an invoice in each state that offers one of them. Throws a Breach if one changes
 * the invoice; returns whether any was tried. `mayTry` selects the ids.
 */
export async function expectNoChangeInAnyState(
  ctx: CheckContext,
  actions: readonly InvoiceAction[],
  mayTry: (action: InvoiceAction, id: string) => Promise<boolean>,
  attempt: ActionAttempt,
): Promise<boolean> {
  // Earlier invoices are the control for spontaneous changes.
  await createUntouchedInvoices(ctx);
  const tried = await Promise.all(
    lifecycle.states.map(async (state) => {
      const working: InvoiceAction[] = [];
      for (const action of actions.filter((each) => lifecycle.offered[state].includes(each)))
        if (await runActionControl(ctx, action)) working.push(action);
      if (working.length === 0) return false;
      let last: ApiResponse | null = null;
      await withSharedInvoice(ctx, state, async (invoice) => {
        const { record: before } = await findSettledInvoice(ctx, invoice);
        for (const action of working)
          if (await mayTry(action, invoice.id)) last = (await attempt({ action, id: invoice.id })) ?? last;
        if (last) await expectInvoiceUnchanged(ctx, invoice, before, last);
      });
      return last !== null;
    }),
  );
  return tried.includes(true);
}
