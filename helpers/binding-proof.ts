import { type Answer, memberOf } from '../engine/answer.ts';
import { saysOnly } from '../engine/binding-words.ts';
import { absence, actionsNamed, bindingInWords, contradiction, refusedPayload } from '../engine/bindings.ts';
import { askingFor } from '../engine/definition.ts';
import { isUnjudged } from '../engine/outcome.ts';
import type { Run } from '../engine/run.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../specs/lifecycle.ts';
import type { OperationName, OperationTemplate } from '../specs/target.ts';
import { accepted } from './accepted.ts';
import { noteTrial } from './binding-trials.ts';
import { isForFunds } from './funds-needed.ts';
import { freshInvoice, type Invoice, operationsTo, reach, stateOffering, whereReachable } from './invoices.ts';
import { Lab } from './lab.ts';
import { hasLeft, lookUntil } from './look.ts';
import { acceptsWhatever, anotherEffect, answeredAsNothing, showsEffect } from './misbound.ts';
import { perform } from './parties.ts';
import { readWrong } from './reading-proof.ts';
import { balanceWrong, withdrawalWrong } from './treasury-proof.ts';

/** How a bound action was answered in the state that offers it. */
export interface ActionTrial {
  state: InvoiceState;
  invoice: Invoice;
  answer: Answer;
}

/**
 * Proves that bound operations are the ones that their bindings name, each once in a run. One that answers as if it did not
 * exist, or does what another one does, is withheld: a wrong path in the target file is never the server's breach.
 */
export async function proveBindings(run: Run, names: readonly OperationName[]): Promise<void> {
  const lab = new Lab(run, askingFor(null));
  await Promise.all(names.map((name) => proved(lab, name)));
}

/** The one trial of a bound action; null where it could not be tried, and where its binding was found to be wrong. */
export async function actionTrial(lab: Lab, action: InvoiceAction): Promise<ActionTrial | null> {
  await proved(lab.ofNoCheck(), action);
  return (await trials(lab.run)).get(action) ?? null;
}

const UNTRIED: ReadonlySet<OperationName> = new Set(['webhookList', 'webhookDelete']);

const trials = (run: Run) => run.once('trials of actions', async () => new Map<InvoiceAction, ActionTrial>());

async function proved(lab: Lab, name: OperationName): Promise<void> {
  await lab.run.once(`binding: ${name}`, async () => {
    const template = lab.target.operations[name];
    // A run that only reads cannot try the others, nor does it use them.
    if (!template || !(lab.run.plan.mutations || template.method === 'GET')) return;
    const why = contradiction(name, lab.run.plan.target) ?? (await foundWrong(lab, name));
    // What removes subscriptions is tried by nothing: an answer that looks like a wrong path's is never judged.
    if (why === null && !UNTRIED.has(name)) lab.run.confirmBinding(name);
    if (why !== null) lab.run.withholdBinding(name, `operations.${name}: ${bindingInWords(template)} ${why}`);
  });
}

/** What a trial of the operation shows of its binding; null where nothing is wrong, or nothing can be tried. */
async function foundWrong(lab: Lab, name: OperationName): Promise<string | null> {
  try {
    if (name === 'read') return await readWrong(lab);
    if (name === 'treasuryBalance') return await balanceWrong(lab);
    if (name === 'treasuryWithdraw') return await withdrawalWrong(lab);
    return isAction(name) ? await actionWrong(lab, name) : null;
  } catch (error) {
    // What keeps it from being tried keeps the checks from being put, too: they say so.
    if (isUnjudged(error)) return null;
    throw error;
  }
}

function isAction(name: OperationName): name is InvoiceAction {
  return (lifecycle.actions as readonly string[]).includes(name);
}

async function actionWrong(lab: Lab, action: InvoiceAction): Promise<string | null> {
  const state = stateOffering(action);
  for (const before of operationsTo(state)) await proved(lab, before);
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
  if (action === 'delete' && accepted(answer)) lab.run.removed(invoice.id);
  return null;
}

/** Why what answered is not this action; null where it may be. */
async function notThisAction(
  lab: Lab,
  action: InvoiceAction,
  invoice: Invoice,
  answer: Answer,
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
    (accepted(answer) ? await doneInstead(lab, action, invoice) : null) ??
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
async function asNothing(lab: Lab, action: InvoiceAction, { id }: Invoice, answer: Answer): Promise<string | null> {
  return memberOf(answer, 'code') === 'INV004' ? null : await answeredAsNothing(lab, action, answer, { id });
}

/** Of an action that is not refused as one of the service is. */
async function nobodysAction(
  lab: Lab,
  action: InvoiceAction,
  invoice: Invoice,
  answer: Answer,
): Promise<string | null> {
  if (answer.status === 409 || answer.status === 412) return await asNothing(lab, action, invoice, answer);
  const nothing = await answeredAsNothing(lab, action, answer, { id: invoice.id });
  return nothing ?? (accepted(answer) ? await acceptsWhatever(lab, action, invoice, answer) : null);
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
    if (!accepted(await perform(lab, action, id))) continue;
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
