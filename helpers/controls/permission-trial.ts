import type { SuspectOperation } from '../../engine/diagnosis/lost-operations.ts';
import type { ForbiddenRequest } from '../../engine/diagnosis/permissions.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { listInvoices, postInvoice, readInvoice, sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../api/treasury-requests.ts';
import type { CheckContext } from '../context/check.ts';
import { validBody } from '../data/invoice-body.ts';
import { withdrawalAmountFor } from '../data/withdrawal-amounts.ts';
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
 * Uses an operation as the contract offers it, so that the run knows whether the key may use it. An operation that
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

/**
 * Uses an operation once as the contract offers it, independent of earlier results; null if that is not possible.
 */
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
  if (operation === 'treasuryWithdraw') return await withdrawOnce(ctx, actor);
  // Other actors have no access to invoices of the run, so the seller's key shows whether the operation exists.
  const party = actor === 'seller' || actor === 'buyer' ? actor : null;
  const as = ctx.credentials(party ?? 'seller');
  if (operation === 'create') return party !== 'buyer' ? await postValidInvoice(ctx) : null;
  const action = lifecycle.actions.find((each) => each === operation);
  if (operation !== 'read' && !action) return null;
  const [invoice] = await ifReachable(() =>
    action ? createInvoiceInState(ctx, stateOffering(action)) : createInvoice(ctx),
  );
  // A key that can no longer bring an invoice there may have lost more than this operation.
  const before = action && actionsLeadingTo(stateOffering(action)).at(-1);
  if (!invoice) return before ? await sendValidRequest(ctx, { actor, operation: before }) : null;
  return action
    ? await sendAction(ctx, action, invoice.id, { as: party ? as : ctx.credentials(partyFor(ctx, action)) })
    : await readInvoice(ctx, invoice.id, { as });
}

/** Withdraws only from the treasury that the run withdraws from anyway; null for the key of another actor. */
async function withdrawOnce(ctx: CheckContext, actor: ActorName | null): Promise<ApiResponse | null> {
  if (actor !== null && actor !== treasuryActor(ctx, 'treasuryWithdraw')) return null;
  const { text } = withdrawalAmountFor(ctx, 'still offered');
  return await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId: ctx.createRequestId() }, text);
}

/** Clean-up removes the invoice with all others of the run. */
async function postValidInvoice(ctx: CheckContext): Promise<ApiResponse> {
  const body = validBody(ctx);
  const response = await postInvoice(ctx, body);
  if (isSuccess(response)) await ifReachable(() => resolveCreatedInvoice(ctx, body, response));
  return response;
}
