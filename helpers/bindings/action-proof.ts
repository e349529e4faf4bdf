import { namesOnlyAction } from '../../engine/diagnosis/action-words.ts';
import {
  missingOperationReason,
  namedActions,
  rejectedPayloadReason,
} from '../../engine/diagnosis/operation-binding.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { OperationTemplate } from '../../specs/target-file/target.ts';
import { isInsufficientFunds, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from '../invoices/acting-party.ts';
import { performOnNewInvoice } from '../invoices/action-on-new-invoice.ts';
import { waitUntilLeft } from '../invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  createInvoice,
  createInvoiceInState,
  type Invoice,
  ifReachable,
  mayReach,
  stateOffering,
} from '../invoices/invoices.ts';
import {
  findNonexistentPathProblem,
  findNoOpProblem,
  findOtherEffectProblem,
  hasVisibleEffect,
  recordBindingTrial,
  verifyBinding,
} from './wrong-binding.ts';

/** The response to a bound action in the state that offers it. */
export interface ActionTrial {
  state: InvoiceState;
  invoice: Invoice;
  response: ApiResponse;
}

/** The only trial of a bound action. Null if it could not be tried or its binding is wrong. */
export async function actionTrial(ctx: CheckContext, action: InvoiceAction): Promise<ActionTrial | null> {
  await verifyAction(ctx.withoutCheck(), action);
  return actionTrials(ctx.run).get(action) ?? null;
}

const actionTrials = runState(() => new Map<InvoiceAction, ActionTrial>());

/** Proves the binding of an action once in a run; see `verifyBinding`. */
export function verifyAction(ctx: CheckContext, action: InvoiceAction): Promise<void> {
  return verifyBinding(ctx, action, () => findActionProblem(ctx, action));
}

async function findActionProblem(ctx: CheckContext, action: InvoiceAction): Promise<string | null> {
  const state = stateOffering(action);
  for (const before of actionsLeadingTo(state)) await verifyAction(ctx, before);
  const isReachable = mayReach(ctx, state);
  const [first] = isReachable ? await ifReachable(() => createInvoiceInState(ctx, state)) : [];
  if (!first) return await findProblemWithNewInvoice(ctx, action);
  const made = [first];
  const create = async (ctx: CheckContext) => made.pop() ?? (await createInvoiceInState(ctx, state));
  const { invoice, response } = await performOnNewInvoice(ctx, action, create);
  await recordBindingTrial(ctx, action, response);
  const why = missingOperationReason(action, response) ?? rejectedPayloadReason(response);
  if (why !== null) return why;
  let other: string | null = null;
  try {
    other = await findMisboundAction(ctx, action, invoice, response);
  } finally {
    // The run may end during the proof. Without a request left, the clean-up could not find out that the draft is gone.
    if (action === 'delete' && isSuccess(response) && other === null) ctx.run.leftovers.recordDeleted(invoice.id);
  }
  if (other !== null) return other;
  actionTrials(ctx.run).set(action, { state, invoice, response });
  return null;
}

/** Why the response belongs to another action; null if it may belong to this one. */
async function findMisboundAction(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  response: ApiResponse,
): Promise<string | null> {
  const plainly = namesOnlyAction(action, ctx.target.operations[action] as OperationTemplate);
  if (hasVisibleEffect(action, response) && plainly) return null;
  if (response.status === 409 || response.status === 412) {
    if (isInsufficientFunds(response)) return null;
    return (
      findOtherActionName(ctx, action) ??
      (await findRejectionPathProblem(ctx, action, invoice, response)) ??
      (await findActionOfOtherState(ctx, action))
    );
  }
  if (response.status === 403) {
    const other = findOtherActionName(ctx, action);
    if (other !== null) return other;
  }
  return (
    (isSuccess(response) ? await findSubstitutedAction(ctx, action, invoice) : null) ??
    (await findUnknownActionProblem(ctx, action, invoice, response)) ??
    (await findOtherEffectProblem(ctx, action, invoice, response))
  );
}

/** For an action that was not accepted where it is offered: whether its binding names only other actions. */
function findOtherActionName(ctx: CheckContext, action: InvoiceAction): string | null {
  const named = namedActions(ctx.target.operations[action] as OperationTemplate);
  if (named.length === 0 || named.includes(action)) return null;
  return `was never accepted in ${stateOffering(action)}, and its path or body names ${named.join(' and ')}; correct its path or body`;
}

/** Where no invoice reaches the state that offers an action, a new invoice still shows whether the operation exists. */
async function findProblemWithNewInvoice(ctx: CheckContext, action: InvoiceAction): Promise<string | null> {
  const invoice = await createInvoice(ctx);
  const response = await performAction(ctx, action, invoice.id);
  const why =
    missingOperationReason(action, response) ??
    rejectedPayloadReason(response) ??
    findOtherActionName(ctx, action) ??
    (await findUnknownActionProblem(ctx, action, invoice, response));
  if (why !== null) await recordBindingTrial(ctx, action, response);
  return why;
}

/** For a rejection with a status of the lifecycle and a code other than INV004: compares it with a nonexistent path. */
async function findRejectionPathProblem(
  ctx: CheckContext,
  action: InvoiceAction,
  { id }: Invoice,
  response: ApiResponse,
): Promise<string | null> {
  return bodyMember(response, 'code') === 'INV004'
    ? null
    : await findNonexistentPathProblem(ctx, action, response, { id });
}

/** Finds an action that the service does not have, from its response. */
async function findUnknownActionProblem(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  response: ApiResponse,
): Promise<string | null> {
  if (response.status === 409 || response.status === 412)
    return await findRejectionPathProblem(ctx, action, invoice, response);
  const nothing = await findNonexistentPathProblem(ctx, action, response, { id: invoice.id });
  return nothing ?? (isSuccess(response) ? await findNoOpProblem(ctx, action, invoice, response) : null);
}

/** Finds an accepted action whose effect and binding are those of another action of the same state. */
async function findSubstitutedAction(
  ctx: CheckContext,
  action: InvoiceAction,
  { id, state }: Invoice,
): Promise<string | null> {
  const template = ctx.target.operations[action] as OperationTemplate;
  const named = namedActions(template);
  const rivals = lifecycle.offered[state].filter((rival) => rival !== action && named.includes(rival));
  if (rivals.length === 0 || named.includes(action)) return null;
  const { record } = await waitUntilLeft(ctx, id, { from: state, by: action, mayBeGone: true });
  const rival = rivals.find((each) => isActionOutcome(each, record?.status));
  return rival === undefined
    ? null
    : `does what ${rival} does: the invoice ${describeState(record?.status)}; correct its path or body`;
}

/** Finds a binding to an action of another state: rejected in its own state, and effective in the other one. */
async function findActionOfOtherState(ctx: CheckContext, action: InvoiceAction): Promise<string | null> {
  for (const state of lifecycle.states) {
    if (lifecycle.offered[state].includes(action) || lifecycle.offered[state].length === 0) continue;
    const [reached] = isReachableWithout(ctx, action, state)
      ? await ifReachable(() => createInvoiceInState(ctx, state))
      : [];
    if (!reached) continue;
    const { id } = reached;
    if (!isSuccess(await performAction(ctx, action, id))) continue;
    const { record } = await waitUntilLeft(ctx, id, { from: state, by: action, mayBeGone: true });
    const rival = lifecycle.offered[state].find((each) => isActionOutcome(each, record?.status));
    if (rival !== undefined && !isActionOutcome(action, record?.status)) {
      return `does what ${rival} does: it is rejected in ${stateOffering(action)}, and in ${state} the invoice ${describeState(record?.status)}; correct its path or body`;
    }
  }
  return null;
}

function isReachableWithout(ctx: CheckContext, action: InvoiceAction, state: InvoiceState): boolean {
  return !actionsLeadingTo(state).includes(action) && mayReach(ctx, state);
}

/** Whether a status is the result of an action; undefined stands for a deleted invoice. */
function isActionOutcome(action: InvoiceAction, status: unknown): boolean {
  return action === 'delete' ? status === undefined : status !== undefined && lifecycle.leadsTo[action] === status;
}

function describeState(status: unknown): string {
  return status === undefined ? 'is gone' : `becomes ${String(status)}`;
}
