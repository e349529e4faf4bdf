import { runState } from '../../engine/ledger/run-ledger.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from './acting-party.ts';
import { findInvoice, waitForArrival } from './find-invoice.ts';

/** By action: whether a second request completed it on this server, as where two persons approve an invoice. */
const completedBySecond = runState(() => new Map<InvoiceAction, boolean>());

/** An accepted action, and the state of its invoice before. */
interface AcceptedAction {
  action: InvoiceAction;
  id: string;
  from: InvoiceState;
}

/** Repeats an accepted action if this server completes it only with a second request. */
export async function repeatIfRequired(ctx: CheckContext, { action, id, from }: AcceptedAction): Promise<void> {
  if (!completedBySecond(ctx.run).get(action)) return;
  if ((await findInvoice(ctx, id)).record?.status === from) await performAction(ctx, action, id);
}

/**
 * Repeats an accepted action that has had no effect, and returns whether the second request completes it. Does not repeat a settlement,
 * which would pay twice.
 */
export async function isCompletedBySecond(
  ctx: CheckContext,
  { action, id }: AcceptedAction,
  to: InvoiceState,
): Promise<boolean> {
  const known = completedBySecond(ctx.run);
  if (action === 'settle' || known.get(action) === false) return false;
  const again = await performAction(ctx, action, id);
  const isMet = isSuccess(again) && (await waitForArrival(ctx, id, to)).isMet;
  known.set(action, isMet || known.get(action) === true);
  if (!isMet) return false;
  ctx.observe('action-delay', `${action} leads to ${to} only when it is sent a second time`);
  // The effect that was missing before is not late.
  ctx.execution.missedEffects.pop();
  return true;
}
