import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import { isSuccess } from '../api/responses.ts';
import { blockedBy } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from '../invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, outcomeCheckId, recordInvoiceState } from '../invoices/invoices.ts';

/**
 * Throws Blocked if an accepted action has no effect, not even for the permitted party: then the server gave no key any
 * permission. The contract leaves the effect of `resolve` open.
 */
export async function blockUnlessActionHasEffect(
  ctx: CheckContext,
  action: InvoiceAction,
  { id, state }: Invoice,
): Promise<void> {
  if (action === 'resolve') return;
  const left = hasLeftState(state, action === 'delete');
  const kind = `leaves ${state} by ${action}` as const;
  if ((await waitForInvoice(ctx, id, left, kind)).isMet) return;
  const own = await createInvoiceInState(ctx, state);
  if (!isSuccess(await performAction(ctx, action, own.id))) return;
  if (!(await waitForInvoice(ctx, own.id, left, ctx.target.limits.settleWithinMs)).isMet) {
    blockedBy(
      outcomeCheckId(action),
      `the server accepts the ${action} action from every key, but the invoice stays ${state}`,
    );
  }
  const to = lifecycle.leadsTo[action];
  if (to) recordInvoiceState(ctx, { id: own.id, state: to });
  else ctx.run.leftovers.recordDeleted(own.id);
}
