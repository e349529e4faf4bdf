import { namesOnlyAction } from '../../engine/diagnosis/action-words.ts';
import {
  missingOperationReason,
  namedActions,
  rejectedPayloadReason,
} from '../../engine/diagnosis/operation-binding.ts';
import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import type { OperationTemplate } from '../../specs/target.ts';
import { isInsufficientFunds } from '../api/error-codes.ts';
import { isSuccess } from '../api/responses.ts';
import { recordBindingTrial } from '../context/binding-trials.ts';
import type { CheckContext } from '../context/check-context.ts';
import { performAction } from '../invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  createInvoice,
  createInvoiceInState,
  type Invoice,
  ifReachable,
  stateOffering,
} from '../invoices/invoices.ts';
import { verifyBinding } from './binding-verdict.ts';
import {
  findNonexistentPathProblem,
  findNoOpProblem,
  findOtherEffectProblem,
  hasVisibleEffect,
} from './wrong-binding.ts';

/** How a bound action was answered in the state that offers it. */
export interface ActionTrial {
  state: InvoiceState;
  invoice: Invoice;
  answer: ApiResponse;
}

/** The one trial of a bound action; null where it could not be tried, and where its binding was found to be wrong. */
export async function actionTrial(lab: CheckContext, action: InvoiceAction): Promise<ActionTrial | null> {
  await verifyAction(lab.withoutCheck(), action);
  return (await actionTrials(lab.run)).get(action) ?? null;
}

const actionTrials = (run: RunContext) =>
  run.memoize('trials of actions', async () => new Map<InvoiceAction, ActionTrial>());

/** Proves the binding of an action once in a run; see `verifyBinding`. */
export function verifyAction(lab: CheckContext, action: InvoiceAction): Promise<void> {
  return verifyBinding(lab, action, () => findActionProblem(lab, action));
}

async function findActionProblem(lab: CheckContext, action: InvoiceAction): Promise<string | null> {
  const state = stateOffering(action);
  for (const before of actionsLeadingTo(state)) await verifyAction(lab, before);
  const isReachable = actionsLeadingTo(state).every((before) => lab.target.operations[before]);
  const [invoice] = isReachable ? await ifReachable(() => createInvoiceInState(lab, state)) : [];
  if (!invoice) return await findProblemWithNewInvoice(lab, action);
  const answer = await performAction(lab, action, invoice.id);
  await recordBindingTrial(lab, action, answer);
  const why = missingOperationReason(action, answer) ?? rejectedPayloadReason(answer);
  if (why !== null) return why;
  const other = await findMisboundAction(lab, action, invoice, answer);
  if (other !== null) return other;
  (await actionTrials(lab.run)).set(action, { state, invoice, answer });
  if (action === 'delete' && isSuccess(answer)) lab.run.recordDeleted(invoice.id);
  return null;
}

/** Why what answered is not this action; null where it may be. */
async function findMisboundAction(
  lab: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  answer: ApiResponse,
): Promise<string | null> {
  const plainly = namesOnlyAction(action, lab.target.operations[action] as OperationTemplate);
  if (hasVisibleEffect(action, answer) && plainly) return null;
  if (answer.status === 409 || answer.status === 412) {
    if (isInsufficientFunds(answer)) return null;
    return (
      findOtherActionName(lab, action) ??
      (await findRejectionPathProblem(lab, action, invoice, answer)) ??
      (await findActionOfOtherState(lab, action))
    );
  }
  if (answer.status === 403) {
    const other = findOtherActionName(lab, action);
    if (other !== null) return other;
  }
  return (
    (isSuccess(answer) ? await findSubstitutedAction(lab, action, invoice) : null) ??
    (await findUnknownActionProblem(lab, action, invoice, answer)) ??
    (await findOtherEffectProblem(lab, action, invoice, answer))
  );
}

/** Of an action that was not accepted where it is offered: whether its binding names another one instead. */
function findOtherActionName(lab: CheckContext, action: InvoiceAction): string | null {
  const named = namedActions(lab.target.operations[action] as OperationTemplate);
  if (named.length === 0 || named.includes(action)) return null;
  return `was never accepted in ${stateOffering(action)}, and its path or body names ${named.join(' and ')}; correct it`;
}

/** Where no invoice comes into the state that offers an action, a new one tells at least whether the operation is there. */
async function findProblemWithNewInvoice(lab: CheckContext, action: InvoiceAction): Promise<string | null> {
  const invoice = await createInvoice(lab);
  const answer = await performAction(lab, action, invoice.id);
  const why =
    missingOperationReason(action, answer) ??
    rejectedPayloadReason(answer) ??
    findOtherActionName(lab, action) ??
    (await findUnknownActionProblem(lab, action, invoice, answer));
  if (why !== null) await recordBindingTrial(lab, action, answer);
  return why;
}

/** Of an action that is refused as one of the service is, but for the code of its state. */
async function findRejectionPathProblem(
  lab: CheckContext,
  action: InvoiceAction,
  { id }: Invoice,
  answer: ApiResponse,
): Promise<string | null> {
  return bodyMember(answer, 'code') === 'INV004' ? null : await findNonexistentPathProblem(lab, action, answer, { id });
}

/** Of an action that is not refused as one of the service is. */
async function findUnknownActionProblem(
  lab: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  answer: ApiResponse,
): Promise<string | null> {
  if (answer.status === 409 || answer.status === 412)
    return await findRejectionPathProblem(lab, action, invoice, answer);
  const nothing = await findNonexistentPathProblem(lab, action, answer, { id: invoice.id });
  return nothing ?? (isSuccess(answer) ? await findNoOpProblem(lab, action, invoice, answer) : null);
}

/** An accepted action that did what another one of the same state does, and whose binding names that one: it is that one. */
async function findSubstitutedAction(
  lab: CheckContext,
  action: InvoiceAction,
  { id, state }: Invoice,
): Promise<string | null> {
  const template = lab.target.operations[action] as OperationTemplate;
  const named = namedActions(template);
  const rivals = lifecycle.offered[state].filter((rival) => rival !== action && named.includes(rival));
  if (rivals.length === 0 || named.includes(action)) return null;
  const { record } = await waitForInvoice(lab, id, hasLeftState(state, true));
  const rival = rivals.find((each) => isActionOutcome(each, record?.status));
  return rival === undefined
    ? null
    : `does what ${rival} does: the invoice ${describeState(record?.status)}; correct its path`;
}

/** An action that its own state refuses, and another state takes for the action which that one offers, is bound to that action. */
async function findActionOfOtherState(lab: CheckContext, action: InvoiceAction): Promise<string | null> {
  for (const state of lifecycle.states) {
    if (lifecycle.offered[state].includes(action) || lifecycle.offered[state].length === 0) continue;
    const [reached] = isReachableWithout(lab, action, state)
      ? await ifReachable(() => createInvoiceInState(lab, state))
      : [];
    if (!reached) continue;
    const { id } = reached;
    if (!isSuccess(await performAction(lab, action, id))) continue;
    const { record } = await waitForInvoice(lab, id, hasLeftState(state, true));
    const rival = lifecycle.offered[state].find((each) => isActionOutcome(each, record?.status));
    if (rival !== undefined && !isActionOutcome(action, record?.status)) {
      return `does what ${rival} does: it is refused in ${stateOffering(action)}, and in ${state} the invoice ${describeState(record?.status)}; correct its path`;
    }
  }
  return null;
}

function isReachableWithout(lab: CheckContext, action: InvoiceAction, state: InvoiceState): boolean {
  return actionsLeadingTo(state).every((step) => step !== action && lab.target.operations[step]);
}

/** Whether an invoice is as an action leaves it; undefined for one that is gone. */
function isActionOutcome(action: InvoiceAction, status: unknown): boolean {
  return action === 'delete' ? status === undefined : status !== undefined && lifecycle.leadsTo[action] === status;
}

function describeState(status: unknown): string {
  return status === undefined ? 'is gone' : `becomes ${String(status)}`;
}
