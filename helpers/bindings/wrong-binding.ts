import { randomUUID } from 'node:crypto';
import { namesOnlyAction } from '../../engine/diagnosis/action-words.ts';
import { KEY_REVOKED } from '../../engine/diagnosis/key-revocation.ts';
import { bindingContradiction, describeBinding } from '../../engine/diagnosis/operation-binding.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { badCredentials } from '../../engine/model/credentials.ts';
import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { Blocked, isUnjudged } from '../../engine/model/outcomes.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { ActorName, OperationName, OperationTemplate } from '../../specs/target-file/target.ts';
import { sendAction } from '../api/operations.ts';
import { NONEXISTENT_SUFFIX, sendToNonexistentPath } from '../api/requests.ts';
import { isSuccess } from '../api/responses.ts';
import { sendTreasuryRequest } from '../api/treasury-requests.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResultBy } from '../context/shared-result.ts';
import { findSettledInvoice, waitUntilLeft } from '../invoices/find-invoice.ts';
import { createInvoice, type Invoice, recordInvoiceState } from '../invoices/invoices.ts';
import { blockIfEffectLate } from '../invoices/late-effect.ts';

/** Values that differ between two responses: a request id, a time, a duration. */
const VARYING_VALUES = /[0-9a-f]{8}[0-9a-f-]*|\d+/gi;

/**
 * Compares an operation with a path that does not exist. Null if the two responses differ; the same response comes
 * from a gateway, a framework or a mock.
 */
export async function findNonexistentPathProblem(
  ctx: CheckContext,
  name: OperationName,
  response: ApiResponse,
  values: { id?: string; amount?: string },
): Promise<string | null> {
  // A service may check a permission before the path, and this key may lack it.
  const isCoded = response.status === 403 && typeof bodyMember(response, 'code') === 'string';
  if (isCoded && !ctx.run.permissions.hasAnyPermission(response.request.actor as ActorName)) return null;
  const actor = response.request.actor as ActorName;
  const sendUnbound = () => sendToNonexistentPath(ctx, name, ctx.credentials(actor), values);
  const unbound = await sendUnbound();
  if (unbound?.status !== response.status || normalizedText(unbound) !== normalizedText(response)) return null;
  if (response.status === 401) {
    if (await ctx.run.keyRevocation.findRevoked([actor]))
      throw new Blocked(`actors.${actor} of the target file`, `actors.${actor}: ${KEY_REVOKED}`);
    // A key that was locked for a moment says nothing about the path.
    if ((await sendUnbound())?.status !== 401) return null;
  }
  const orKey = {
    401: ', or let the gateway in front pass on X-API-Key and X-API-Secret; the list operation accepts this key',
    403: `, or give actors.${actor} a key that may use this operation`,
  }[response.status];
  return `returns the same response (${response.status}) as ${unbound.request.path}, which does not exist; correct its path${orKey ?? ''}`;
}

function normalizedText({ text, request }: ApiResponse): string {
  return text.replaceAll(request.path, '').replaceAll(NONEXISTENT_SUFFIX, '').replace(VARYING_VALUES, '#');
}

/** Whether the response to an accepted action shows the invoice in the state that the action leads to. */
export function hasVisibleEffect(action: InvoiceAction, response: ApiResponse): boolean {
  const to = lifecycle.leadsTo[action];
  return isSuccess(response) && to !== undefined && foundRecordIn(response)?.record.status === to;
}

/**
 * Finds an accepted action that changes nothing and is also accepted for a nonexistent invoice or in a state that does
 * not offer it. The checks judge an action with only one of these defects.
 */
export async function findNoOpProblem(
  ctx: CheckContext,
  action: InvoiceAction,
  { id, state }: Invoice,
  response: ApiResponse,
): Promise<string | null> {
  const as = ctx.credentials(response.request.actor as ActorName);
  const changesNothing = async () =>
    !(await waitUntilLeft(ctx, id, { from: state, by: action, mayBeGone: true })).isMet;
  const ofNone = await sendAction(ctx, action, randomUUID(), { as });
  if (isSuccess(ofNone) && (await changesNothing())) {
    return `accepts an id that no invoice has (${ofNone.status}), and changes nothing; correct its path`;
  }
  // A deleted invoice cannot be read.
  if (action === 'delete') return null;
  const other = await createInvoice(ctx);
  if (lifecycle.offered[other.state].includes(action)) return null;
  if (!isSuccess(await sendAction(ctx, action, other.id, { as }))) return null;
  const { record } = await findSettledInvoice(ctx, other);
  if (record?.status !== other.state || !(await changesNothing())) return null;
  recordInvoiceState(ctx, other);
  return `is also accepted in ${other.state} and changes nothing; correct its path or body`;
}

/**
 * Finds an accepted action with an effect other than its own, or none, whose binding says more or less than the action,
 * such as a reminder or a preview. Where the binding names exactly the action, the checks judge the effect.
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
  const { record } = await waitUntilLeft(ctx, id, { from: state, by: action, mayBeGone: true });
  // The contract does not define the result of a resolution.
  if (record?.status === state && action !== 'resolve') {
    await blockIfEffectLate(ctx, { id, from: state, response });
    return `is accepted (${response.status}), and the invoice stays ${state}; bind the request that this service uses for ${action}`;
  }
  if (to && record?.status !== to) {
    return `is accepted (${response.status}), and the invoice ${record ? `becomes ${String(record.status)}` : 'is gone'}; bind the request that leads to ${to}`;
  }
  const ofNone = await sendAction(ctx, action, randomUUID(), {
    as: ctx.credentials(response.request.actor as ActorName),
  });
  return isSuccess(ofNone)
    ? `accepts an id that no invoice has (${ofNone.status}), as a bulk request does; bind the request for a single invoice`
    : null;
}

/** Finds a withdrawal that is accepted without an amount and without credentials. */
export async function findUncheckedWithdrawalProblem(ctx: CheckContext): Promise<string | null> {
  const as = badCredentials('nobody', null, null);
  const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { as, exceedsFunds: true }, 'no sum');
  if (!isSuccess(response)) return null;
  return `accepts a withdrawal without credentials and without an amount (${response.status}); correct its path`;
}

/** The response to a bound operation when the kit tried it. */
export interface BindingTrial {
  /** The label of the actor that sent the request. */
  as: string;
  status: number;
}

/** The trial of each operation; no entry if the kit could not try it. */
export const bindingTrials = runState(() => new Map<OperationName, BindingTrial>());

/** Records the response to an operation. */
export async function recordBindingTrial(
  ctx: CheckContext,
  name: OperationName,
  { request, status }: ApiResponse,
): Promise<void> {
  bindingTrials(ctx.run).set(name, { as: request.actorLabel, status });
}

/**
 * No trial exists for the operations that remove subscriptions. A response that looks like a wrong path is never
 * judged.
 */
const UNTESTED_OPERATIONS: ReadonlySet<OperationName> = new Set(['webhookList', 'webhookDelete']);

/**
 * Proves once in a run that a bound operation is the one its binding names, and otherwise withholds it from the checks.
 * `findProblem` tries the operation and returns what is wrong with its binding, or null.
 */
export const verifyBinding = sharedResultBy(
  async (ctx, name: OperationName, findProblem: () => Promise<string | null>): Promise<void> => {
    const template = ctx.target.operations[name];
    // A read-only run cannot try the other operations and does not use them.
    if (!template || !(ctx.run.plan.mayMutate || template.method === 'GET')) return;
    const why = bindingContradiction(name, ctx.run.plan.target) ?? (await problemOrNull(findProblem));
    if (why === null && !UNTESTED_OPERATIONS.has(name)) ctx.run.confirmBinding(name);
    if (why !== null) ctx.run.disableBinding(name, `operations.${name}: ${describeBinding(template)} ${why}`);
  },
);

/** Null also if nothing could be tried, because the checks report the same obstacle. */
async function problemOrNull(findProblem: () => Promise<string | null>): Promise<string | null> {
  try {
    return await findProblem();
  } catch (error) {
    if (isUnjudged(error)) return null;
    throw error;
  }
}
