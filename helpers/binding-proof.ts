import { type Answer, memberOf } from '../engine/answer.ts';
import { readsOnly, saysOnly } from '../engine/binding-words.ts';
import { absence, actionsNamed, bindingInWords, contradiction, refusedPayload } from '../engine/bindings.ts';
import { askingFor } from '../engine/definition.ts';
import { foundIn, isObject, listItems } from '../engine/invoice-record.ts';
import { isUnjudged } from '../engine/outcome.ts';
import type { Run } from '../engine/run.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../specs/lifecycle.ts';
import type { OperationName, OperationTemplate } from '../specs/target.ts';
import { accepted, isShown } from './accepted.ts';
import { amountsOf } from './funds.ts';
import { isForFunds } from './funds-needed.ts';
import {
  freshInvoice,
  type Invoice,
  keepTrack,
  mayCreate,
  operationsTo,
  reach,
  stateOffering,
  whereReachable,
} from './invoices.ts';
import { Lab } from './lab.ts';
import { hasLeft, lookListed, lookUntil, newest, readerOf } from './look.ts';
import { acceptsWhatever, anotherEffect, answeredAsNothing, paysWhatever, showsEffect } from './misbound.ts';
import { readInvoice, treasury } from './operations.ts';
import { perform } from './parties.ts';
import { pollUntil } from './poll.ts';
import { whyUnseen } from './unseen-withdrawal.ts';

/** How a bound action was answered in the state that offers it. */
export interface ActionTrial {
  state: InvoiceState;
  invoice: Invoice;
  answer: Answer;
}

/** How a bound operation was answered when it was tried. */
export interface BindingTrial {
  /** Who asked. */
  as: string;
  status: number;
}

/** By operation: how it was answered; nothing for one that could not be tried. */
export function bindingTrials(run: Run): Promise<Map<OperationName, BindingTrial>> {
  return run.once('trials of bindings', async () => new Map());
}

async function note(lab: Lab, name: OperationName, { ask, status }: Answer): Promise<void> {
  (await bindingTrials(lab.run)).set(name, { as: ask.as, status });
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

async function readWrong(lab: Lab): Promise<string | null> {
  const id = await idToRead(lab);
  if (id === undefined) return null;
  const answer = await readInvoice(lab, id);
  await note(lab, 'read', answer);
  const why = absence('read', answer) ?? refusedPayload(answer);
  if (why !== null) return why;
  if (!isShown(answer)) return await answeredAsNothing(lab, 'read', answer, { id });
  if (isObject(answer.json) && Object.hasOwn(answer.json, 'totalPages')) {
    return 'shows a list, and not the one invoice; correct its path';
  }
  if (!isOfInvoice(answer, id)) return 'does not show the invoice; correct its path';
  return readsOnly(lab.target.operations.read as OperationTemplate) ? null : await standsStill(lab, id);
}

/** The names of fields in a reading are not shown. */
const SHOWN_OF_INVOICES = [/amount/i, /invoice[_-]?number/i, /due[_-]?date/i];

/** Whether a reading shows which invoice it is, and more of it than its state. */
function isOfInvoice({ text }: Answer, id: string): boolean {
  return text.includes(id) && SHOWN_OF_INVOICES.filter((name) => name.test(text)).length > 1;
}

/** A reading that still shows what was, once the list shows what is: a report, a snapshot. */
async function standsStill(lab: Lab, id: string): Promise<string | null> {
  if (!mayCreate(lab) || !lab.target.operations.submit) return null;
  const [before] = await whereReachable(() => lookListed(lab, id));
  if (before?.record?.status !== 'DRAFT' || !accepted(await perform(lab, 'submit', id))) return null;
  const within = lab.target.limits.settleWithinMs;
  const isSubmitted = (status: unknown) => status !== undefined && status !== 'DRAFT';
  const listed = await pollUntil(
    lab,
    () => lookListed(lab, id),
    ({ record }) => isSubmitted(record?.status),
    within,
  );
  if (!isSubmitted(listed.record?.status)) return null;
  keepTrack(lab, { id, state: 'SUBMITTED' });
  const read = await pollUntil(
    lab,
    () => readInvoice(lab, id),
    (answer) => isSubmitted(foundIn(answer)?.record.status),
    within,
  );
  return isSubmitted(foundIn(read)?.record.status)
    ? null
    : `still shows the invoice as DRAFT once it is listed as ${String(listed.record?.status)}; bind the request that shows an invoice as it is`;
}

/** A new invoice, or where nothing may be created one that is there. */
async function idToRead(lab: Lab): Promise<string | undefined> {
  if (mayCreate(lab)) return (await freshInvoice(lab)).id;
  const [first] = (await newest(lab, readerOf(lab))).records;
  return first && String(first.id);
}

async function balanceWrong(lab: Lab): Promise<string | null> {
  const answer = await treasury(lab, 'treasuryBalance');
  await note(lab, 'treasuryBalance', answer);
  const why = absence('treasuryBalance', answer) ?? refusedPayload(answer);
  if (why !== null) return why;
  if (!isShown(answer)) return await answeredAsNothing(lab, 'treasuryBalance', answer, {});
  const shown = foundIn(answer)?.record ?? {};
  if ('invoiceNumber' in shown && 'dueDate' in shown) return 'shows an invoice; correct its path';
  const showsInvoices = listItems(answer).some((record) => 'invoiceNumber' in record || 'dueDate' in record);
  if (showsInvoices) return 'shows a list of invoices; correct its path';
  return amountsOf(answer).size > 0 ? null : 'shows no sum of money; correct its path';
}

/** Sums of which any sandbox pays one. */
const SMALL_SUMS = ['1.00', '25.00'];

async function withdrawalWrong(lab: Lab): Promise<string | null> {
  let refused: string | null = null;
  const before = lab.target.operations.treasuryBalance ? await treasury(lab, 'treasuryBalance') : null;
  for (const amount of SMALL_SUMS) {
    const answer = await treasury(lab, 'treasuryWithdraw', {}, amount);
    await note(lab, 'treasuryWithdraw', answer);
    const absent = absence('treasuryWithdraw', answer);
    if (absent !== null) return absent;
    refused = refusedPayload(answer);
    if (refused === null)
      return (await noWithdrawal(lab, answer, amount)) ?? (await unseen(lab, before, answer, amount));
  }
  return refused;
}

/** Of a withdrawal that no balance shows, unless the target file says so. */
async function unseen(lab: Lab, before: Answer | null, withdrawal: Answer, amount: string): Promise<string | null> {
  if (!before || !isShown(before) || amountsOf(before).size === 0 || !accepted(withdrawal)) return null;
  return await whyUnseen(lab, { before, withdrawal, amount });
}

/** Why what answered is no withdrawal; null where it may be one. */
async function noWithdrawal(lab: Lab, answer: Answer, amount: string): Promise<string | null> {
  const tellsSum = accepted(answer) && answer.text.includes(amount);
  const nothing = tellsSum ? null : await answeredAsNothing(lab, 'treasuryWithdraw', answer, { amount });
  return nothing ?? (await paysWhatever(lab));
}

async function actionWrong(lab: Lab, action: InvoiceAction): Promise<string | null> {
  const state = stateOffering(action);
  for (const before of operationsTo(state)) await proved(lab, before);
  const isReachable = operationsTo(state).every((before) => lab.target.operations[before]);
  const [invoice] = isReachable ? await whereReachable(() => reach(lab, state)) : [];
  if (!invoice) return await absentElsewhere(lab, action);
  const answer = await perform(lab, action, invoice.id);
  await note(lab, action, answer);
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
  if (why !== null) await note(lab, action, answer);
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
