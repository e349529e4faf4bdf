import { saysOnly } from '../../engine/diagnosis/action-words.ts';
import { absence, actionsNamed, refusedPayload } from '../../engine/diagnosis/operation-binding.ts';
import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import type { Run } from '../../engine/run/run-context.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import type { OperationTemplate } from '../../specs/target.ts';
import { isForFunds } from '../api/error-codes.ts';
import { isSuccess } from '../api/responses.ts';
import { noteTrial } from '../context/binding-trials.ts';
import type { Lab } from '../context/check-context.ts';
import { perform } from '../invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../invoices/find-invoice.ts';
import {
  freshInvoice,
  type Invoice,
  operationsTo,
  reach,
  stateOffering,
  whereReachable,
} from '../invoices/invoices.ts';
import { proveBinding } from './binding-verdict.ts';
import { acceptsWhatever, anotherEffect, answeredAsNothing, showsEffect } from './wrong-binding.ts';

/** How a bound action was answered in the state that offers it. */
export interface ActionTrial {
  state: InvoiceState;
  invoice: Invoice;
  answer: ApiResponse;
}

/** The one trial of a bound action; null where it could not be tried, and where its binding was found to be wrong. */
export async function actionTrial(lab: Lab, action: InvoiceAction): Promise<ActionTrial | null> {
  await proveAction(lab.ofNoCheck(), action);
  return (await trials(lab.run)).get(action) ?? null;
}

const trials = (run: Run) => run.once('trials of actions', async () => new Map<InvoiceAction, ActionTrial>());

/** Proves the binding of an action once in a run; see `proveBinding`. */
export function proveAction(lab: Lab, action: InvoiceAction): Promise<void> {
  return proveBinding(lab, action, () => actionWrong(lab, action));
}

async function actionWrong(lab: Lab, action: InvoiceAction): Promise<string | null> {
  const state = stateOffering(action);
  for (const before of operationsTo(state)) await proveAction(lab, before);
  const isReachable = operationsTo(state).every((before) => lab.target.operations[before]);
  const [invoice] = isReachable ? await whereReachable(() => reach(lab, state)) : [];
  if (!invoice) return await absentElsewhere(lab, action);
  const answer = await perform(lab, action, invoice.id);
  await noteTrial(lab, action, answer);
  const why = absence(action, answer) ?? refusedPayload(answer);
  if (why !== null) return why;
  const other = await notThisAction(lab, action, invoice, answer);
  if (other !== null) return other;
  (await trials(lab.run)).set(action, { state, invoice, answer });
  if (action === 'delete' && isSuccess(answer)) lab.run.removed(invoice.id);
  return null;
}

/** Why what answered is not this action; null where it may be. */
async function notThisAction(
  lab: Lab,
  action: InvoiceAction,
  invoice: Invoice,
  answer: ApiResponse,
): Promise<string | null> {
  const plainly = saysOnly(action, lab.target.operations[action] as OperationTemplate);
  if (showsEffect(action, answer) && plainly) return null;
  if (answer.status === 409 || answer.status === 412) {
    if (isForFunds(answer)) return null;
    return (
      nameOfAnother(lab, action) ??
      (await asNothing(lab, action, invoice, answer)) ??
      (await doneElsewhere(lab, action))
    );
  }
  if (answer.status === 403) {
    const other = nameOfAnother(lab, action);
    if (other !== null) return other;
  }
  return (
    (isSuccess(answer) ? await doneInstead(lab, action, invoice) : null) ??
    (await nobodysAction(lab, action, invoice, answer)) ??
    (await anotherEffect(lab, action, invoice, answer))
  );
}

/** Of an action that was not accepted where it is offered: whether its binding names another one instead. */
function nameOfAnother(lab: Lab, action: InvoiceAction): string | null {
  const named = actionsNamed(lab.target.operations[action] as OperationTemplate);
  if (named.length === 0 || named.includes(action)) return null;
  return `was never accepted in ${stateOffering(action)}, and its path or body names ${named.join(' and ')}; correct it`;
}

/** Where no invoice comes into the state that offers an action, a new one tells at least whether the operation is there. */
async function absentElsewhere(lab: Lab, action: InvoiceAction): Promise<string | null> {
  const invoice = await freshInvoice(lab);
  const answer = await perform(lab, action, invoice.id);
  const why =
    absence(action, answer) ??
    refusedPayload(answer) ??
    nameOfAnother(lab, action) ??
    (await nobodysAction(lab, action, invoice, answer));
  if (why !== null) await noteTrial(lab, action, answer);
  return why;
}

/** Of an action that is refused as one of the service is, but for the code of its state. */
async function asNothing(
  lab: Lab,
  action: InvoiceAction,
  { id }: Invoice,
  answer: ApiResponse,
): Promise<string | null> {
  return bodyMember(answer, 'code') === 'INV004' ? null : await answeredAsNothing(lab, action, answer, { id });
}

/** Of an action that is not refused as one of the service is. */
async function nobodysAction(
  lab: Lab,
  action: InvoiceAction,
  invoice: Invoice,
  answer: ApiResponse,
): Promise<string | null> {
  if (answer.status === 409 || answer.status === 412) return await asNothing(lab, action, invoice, answer);
  const nothing = await answeredAsNothing(lab, action, answer, { id: invoice.id });
  return nothing ?? (isSuccess(answer) ? await acceptsWhatever(lab, action, invoice, answer) : null);
}

/** An accepted action that did what another one of the same state does, and whose binding names that one: it is that one. */
async function doneInstead(lab: Lab, action: InvoiceAction, { id, state }: Invoice): Promise<string | null> {
  const template = lab.target.operations[action] as OperationTemplate;
  const named = actionsNamed(template);
  const rivals = lifecycle.offered[state].filter((rival) => rival !== action && named.includes(rival));
  if (rivals.length === 0 || named.includes(action)) return null;
  const { record } = await lookUntil(lab, id, hasLeft(state, true));
  const rival = rivals.find((each) => isOutcome(each, record?.status));
  return rival === undefined
    ? null
    : `does what ${rival} does: the invoice ${inState(record?.status)}; correct its path`;
}

/** An action that its own state refuses, and another state takes for the action which that one offers, is bound to that action. */
async function doneElsewhere(lab: Lab, action: InvoiceAction): Promise<string | null> {
  for (const state of lifecycle.states) {
    if (lifecycle.offered[state].includes(action) || lifecycle.offered[state].length === 0) continue;
    const [reached] = canBeWithout(lab, action, state) ? await whereReachable(() => reach(lab, state)) : [];
    if (!reached) continue;
    const { id } = reached;
    if (!isSuccess(await perform(lab, action, id))) continue;
    const { record } = await lookUntil(lab, id, hasLeft(state, true));
    const rival = lifecycle.offered[state].find((each) => isOutcome(each, record?.status));
    if (rival !== undefined && !isOutcome(action, record?.status)) {
      return `does what ${rival} does: it is refused in ${stateOffering(action)}, and in ${state} the invoice ${inState(record?.status)}; correct its path`;
    }
  }
  return null;
}

function canBeWithout(lab: Lab, action: InvoiceAction, state: InvoiceState): boolean {
  return operationsTo(state).every((step) => step !== action && lab.target.operations[step]);
}

/** Whether an invoice is as an action leaves it; undefined for one that is gone. */
function isOutcome(action: InvoiceAction, status: unknown): boolean {
  return action === 'delete' ? status === undefined : status !== undefined && lifecycle.leadsTo[action] === status;
}

function inState(status: unknown): string {
  return status === undefined ? 'is gone' : `becomes ${String(status)}`;
}
