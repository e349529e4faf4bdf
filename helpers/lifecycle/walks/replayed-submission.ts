import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import { sendAction } from '../../api/operations.ts';
import { canHaveRequestId } from '../../api/requests.ts';
import type { ApiResponse } from '../../api/responses.ts';
import type { CheckContext } from '../../context/check.ts';
import { partyFor, performAction } from '../../invoices/acting-party.ts';
import { findSettledInvoice } from '../../invoices/find-invoice.ts';
import type { WalkInvoice } from './walk-invoice.ts';

/** Performs an action of a walk. A submission gets a requestId, so that it can be replayed. */
export async function performInWalk(
  ctx: CheckContext,
  action: InvoiceAction,
  walker: WalkInvoice,
): Promise<ApiResponse> {
  if (action !== 'submit' || !canHaveRequestId(ctx, action)) return await performAction(ctx, action, walker.id);
  walker.requestId ??= ctx.createRequestId();
  return await performAction(ctx, action, walker.id, { requestId: walker.requestId });
}

/** Replays the submission, if the walk has submitted the invoice. */
export async function isUnchangedByReplay(ctx: CheckContext, walker: WalkInvoice, calls: string[]): Promise<boolean> {
  const { id, name, state, requestId } = walker;
  if (requestId === undefined || state === null) return true;
  calls.push(`replay of submit ${name} (${state})`);
  await sendAction(ctx, 'submit', id, { as: ctx.credentials(partyFor(ctx, 'submit')), requestId });
  return (await findSettledInvoice(ctx, { id, state })).isMet;
}
