import type { SuspectOperation } from '../../engine/diagnosis/lost-operations.ts';
import type { ForbiddenRequest } from '../../engine/diagnosis/permissions.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import { listInvoices, postInvoice, readInvoice, sendAction, sendTreasuryRequest } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { validBody } from '../data/invoice-body.ts';
import { partyFor } from '../invoices/acting-party.ts';
import {
  actionsLeadingTo,
  createInvoice,
  createInvoiceInState,
  ifReachable,
  resolveCreatedInvoice,
  stateOffering,
} from '../invoices/invoices.ts';
import { runActionControl, runCreationControl } from './positive-controls.ts';

/**
 * Uses an operation the way the contract offers it. The run then knows whether the key may use it at all; an operation that
 * cannot be tried this way stays unknown.
 */
export async function probePermission(ctx: CheckContext, { actor, operation }: ForbiddenRequest): Promise<void> {
  const as = ctx.credentials(actor);
  if (operation === 'list') await listInvoices(ctx, { page: 0, limit: 1 }, { as });
  if (operation === 'create') await ifReachable(() => runCreationControl(ctx));
  if (operation === 'read') {
    await ifReachable(async () => readInvoice(ctx, (await createInvoice(ctx)).id, { as }));
  }
  const action = lifecycle.actions.find((each) => each === operation);
  if (action) await ifReachable(() => runActionControl(ctx, action));
}

/** Uses an operation once as the contract offers it, and not by what the run has seen of it before; null where that cannot be tried. */
export async function probeOperation(ctx: CheckContext, suspect: SuspectOperation): Promise<ApiResponse | null> {
  const [response] = await ifReachable(() => sendValidRequest(ctx, suspect));
  return response ?? null;
}

async function sendValidRequest(
  ctx: CheckContext,
  { actor, operation }: SuspectOperation,
): Promise<ApiResponse | null> {
  if (operation === 'list')
    return await listInvoices(ctx, { page: 0, limit: 1 }, { as: ctx.credentials(actor ?? 'seller') });
  if (operation === 'treasuryBalance')
    return await sendTreasuryRequest(ctx, operation, actor ? { as: ctx.credentials(actor) } : {});
  // Others are strangers to every invoice that the run can make: whether the operation is there at all shows with the seller's key.
  const party = actor === 'seller' || actor === 'buyer' ? actor : null;
  const as = ctx.credentials(party ?? 'seller');
  if (operation === 'create') return party !== 'buyer' ? await postValidInvoice(ctx) : null;
  const action = lifecycle.actions.find((each) => each === operation);
  if (operation !== 'read' && !action) return null;
  const [invoice] = await ifReachable(() =>
    action ? createInvoiceInState(ctx, stateOffering(action)) : createInvoice(ctx),
  );
  // Who may not lead an invoice there any more may have lost more than that.
  const before = action && actionsLeadingTo(stateOffering(action)).at(-1);
  if (!invoice) return before ? await sendValidRequest(ctx, { actor, operation: before }) : null;
  return action
    ? await sendAction(ctx, action, invoice.id, { as: party ? as : ctx.credentials(partyFor(ctx, action)) })
    : await readInvoice(ctx, invoice.id, { as });
}

/** What comes of it is removed with all else that the run has made. */
async function postValidInvoice(ctx: CheckContext): Promise<ApiResponse> {
  const body = validBody(ctx);
  const response = await postInvoice(ctx, body);
  if (isSuccess(response)) await ifReachable(() => resolveCreatedInvoice(ctx, body, response));
  return response;
}
