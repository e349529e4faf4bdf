import { randomUUID } from 'node:crypto';
import { namesOnlyAction } from '../../engine/diagnosis/action-words.ts';
import { badCredentials } from '../../engine/model/credentials.ts';
import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import type { ActorName, OperationName, OperationTemplate } from '../../specs/target.ts';
import { sendAction, sendToNonexistentPath, sendTreasuryRequest } from '../api/operations.ts';
import { NONEXISTENT_SUFFIX } from '../api/request-template.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import { createInvoice, type Invoice, recordInvoiceState } from '../invoices/invoices.ts';
import { blockIfEffectLate } from '../invoices/late-effect.ts';

/** Ids and digits differ from answer to answer: a request id, a moment, a duration. */
const VARYING_VALUES = /[0-9a-f]{8}[0-9a-f-]*|\d+/gi;

/**
 * Whether an operation gets the same answer as a path that does not exist: from a gateway, a framework or a mock. Null where the two
 * answers differ.
 */
export async function findNonexistentPathProblem(
  ctx: CheckContext,
  name: OperationName,
  response: ApiResponse,
  values: { id?: string; amount?: string },
): Promise<string | null> {
  // A service may ask for a permission before it looks at the path, and this key may have none.
  const isCoded = response.status === 403 && typeof bodyMember(response, 'code') === 'string';
  if (isCoded && !ctx.run.permissions.hasAnyPermission(response.request.actor as ActorName)) return null;
  const beside = await sendToNonexistentPath(ctx, name, ctx.credentials(response.request.actor as ActorName), values);
  if (beside?.status !== response.status || normalizedText(beside) !== normalizedText(response)) return null;
  const orKey = response.status === 403 ? `, or give actors.${response.request.actor} a key that may` : '';
  return `gets the same answer (${response.status}) as ${beside.request.path}, which does not exist; correct its path${orKey}`;
}

function normalizedText({ text, request: ask }: ApiResponse): string {
  return text.replaceAll(ask.path, '').replaceAll(NONEXISTENT_SUFFIX, '').replace(VARYING_VALUES, '#');
}

/** Whether the answer to an accepted action shows the invoice as that action leaves it. */
export function hasVisibleEffect(action: InvoiceAction, response: ApiResponse): boolean {
  const to = lifecycle.leadsTo[action];
  return isSuccess(response) && to !== undefined && foundRecordIn(response)?.record.status === to;
}

/**
 * Whether an accepted action does nothing, and is accepted for an invoice that does not exist or in a state that does not offer it,
 * too: what answers there is not that action. One that breaks a single one of these rules is left to the checks.
 */
export async function findNoOpProblem(
  ctx: CheckContext,
  action: InvoiceAction,
  { id, state }: Invoice,
  response: ApiResponse,
): Promise<string | null> {
  const as = ctx.credentials(response.request.actor as ActorName);
  const changesNothing = async () => !(await waitForInvoice(ctx, id, hasLeftState(state, true))).held;
  const ofNone = await sendAction(ctx, action, randomUUID(), { as });
  if (isSuccess(ofNone) && (await changesNothing())) {
    return `accepts an id that no invoice has (${ofNone.status}), and changes nothing; correct its path`;
  }
  // What is deleted cannot be looked at.
  if (action === 'delete') return null;
  const other = await createInvoice(ctx);
  if (lifecycle.offered[other.state].includes(action)) return null;
  if (!isSuccess(await sendAction(ctx, action, other.id, { as }))) return null;
  const { record } = await waitForInvoice(ctx, other.id, (found) => found?.status === other.state);
  if (record?.status !== other.state || !(await changesNothing())) return null;
  recordInvoiceState(ctx, other);
  return `is accepted in ${other.state}, too, and changes nothing; correct its path or body`;
}

/**
 * An accepted action with another effect than its own, or none, through a binding that says more or less than the action: a reminder,
 * a preview, a payment beside the approval. Where the binding says the action alone, the checks judge it.
 */
export async function findOtherEffectProblem(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  response: ApiResponse,
): Promise<string | null> {
  const { state, id } = invoice;
  const to = lifecycle.leadsTo[action];
  if (!isSuccess(response) || namesOnlyAction(action, ctx.target.operations[action] as OperationTemplate)) return null;
  const { record } = await waitForInvoice(ctx, id, hasLeftState(state, true));
  // What a resolution leads to is not shown.
  if (record?.status === state && action !== 'resolve') {
    await blockIfEffectLate(ctx, { id, from: state, response: response });
    return `is accepted (${response.status}), and the invoice stays ${state}; bind the request that this service takes for ${action}`;
  }
  if (to && record?.status !== to) {
    return `is accepted (${response.status}), and the invoice ${record ? `becomes ${String(record.status)}` : 'is gone'}; bind the request that leads to ${to}`;
  }
  const ofNone = await sendAction(ctx, action, randomUUID(), {
    as: ctx.credentials(response.request.actor as ActorName),
  });
  return isSuccess(ofNone)
    ? `accepts an id that no invoice has (${ofNone.status}), as a request for many does; bind the one for a single invoice`
    : null;
}

/** No sum, and from nobody. */
export async function findUncheckedWithdrawalProblem(ctx: CheckContext): Promise<string | null> {
  const as = badCredentials('nobody', null, null);
  const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { as, exceedsFunds: true }, 'no sum');
  if (!isSuccess(response)) return null;
  return `accepts a withdrawal without credentials and without a sum (${response.status}); correct its path`;
}
