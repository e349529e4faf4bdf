import { leftoverReason } from '../../engine/ledger/leftovers.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import { foundRecordIn, invoiceIn, type JsonObject } from '../../engine/records/invoice-records.ts';
import type { Need } from '../../engine/target/capabilities.ts';
import { findActionPath, type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { isRequestLimit } from '../../specs/verdicts.ts';
import { postInvoice } from '../api/operations.ts';
import { requireBinding } from '../api/requests.ts';
import { isSuccess, mayBeBusinessRule, skipIfInsufficientFunds } from '../api/responses.ts';
import { blockedByRejection } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { recordCreatedAmount, recordCreatedRecord } from '../context/invoice-history.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { performAction } from './acting-party.ts';
import { recordOrigin } from './candidate-invoices.ts';
import { findCreatedInvoice, findInvoice, hasLeftState, hasReached, waitForArrival } from './find-invoice.ts';
import { blockIfEffectLate } from './late-effect.ts';
import { isCompletedBySecond, repeatIfRequired } from './repeated-action.ts';

/** An invoice that this run has created. */
export interface Invoice {
  id: string;
  body: InvoiceBody;
  /** The state in which the kit last saw it. */
  state: InvoiceState;
  /** The response that created it. */
  created: ApiResponse;
  /** An accepted action has no visible effect yet, so a later change proves nothing about other requests. */
  hasPendingAction?: boolean;
  /** The steps before its state that others do not have, with a function that repeats them for another invoice. */
  history?: { name: string; repeat: (changes: Partial<InvoiceBody>) => Promise<Invoice> };
}

/** Whether this run may create invoices and has a buyer for them. */
export function mayCreateInvoices({ run: { plan } }: CheckContext): boolean {
  return plan.mayMutate && plan.organizations.buyer !== undefined;
}

/** Creates a valid invoice. Throws Blocked when the server rejects the creation. */
export async function createInvoice(ctx: CheckContext, changes: Partial<InvoiceBody> = {}): Promise<Invoice> {
  for (let tries = 1; ; tries += 1) {
    const body = { ...validBody(ctx), ...changes };
    const created = await postInvoice(ctx, body);
    // A rule of the server may reject a creation by chance and accept the next one.
    const ruled = mayBeBusinessRule(created) && ctx.run.leftovers.entries().length > 0;
    if (!ruled || tries === MAX_CREATION_ATTEMPTS) return await resolveCreatedInvoice(ctx, body, created);
  }
}

const MAX_CREATION_ATTEMPTS = 2;

/** The invoice of an accepted creation, read from the list if the response does not show it. */
export async function resolveCreatedInvoice(
  ctx: CheckContext,
  body: InvoiceBody,
  created: ApiResponse,
): Promise<Invoice> {
  if (!isSuccess(created)) {
    throw blockedByRejection(ctx, created, 'CREATE-13.required-only', 'no invoice can be created');
  }
  const shown = foundRecordIn(created);
  if (shown) ctx.observe('create-record-place', shown.path.length === 0 ? 'the body itself' : shown.path.join('.'));
  const record = typeof shown?.record.id === 'string' ? shown.record : (await findCreatedInvoice(ctx, body)).record;
  if (!record || (typeof record.id !== 'string' && typeof record.id !== 'number')) {
    throw new Blocked('CREATE-11.carries-invoice', 'the created invoice is neither in the response nor in the list');
  }
  const invoice: Invoice = { id: String(record.id), body, state: await initialState(ctx, record), created };
  ctx.observe('initial-state', invoice.state);
  initialStates(ctx.run).add(invoice.state);
  recordOrigin(ctx, invoice.id, body);
  recordCreatedRecord(ctx, invoice.id, { record, created });
  recordCreatedAmount(ctx, invoice.id, typeof record.amount === 'string' ? record.amount : body.amount);
  recordInvoiceState(ctx, invoice);
  return invoice;
}

async function initialState(ctx: CheckContext, record: JsonObject): Promise<InvoiceState> {
  const shown = isInvoiceState(record.status)
    ? record.status
    : (await findInvoice(ctx, String(record.id))).record?.status;
  if (isInvoiceState(shown)) return shown;
  throw new Blocked(
    'REC-03.status',
    `a new invoice has the status ${JSON.stringify(shown)}, which is not one of the six states`,
  );
}

export function isInvoiceState(value: unknown): value is InvoiceState {
  return (lifecycle.states as readonly unknown[]).includes(value);
}

/** Records the state of an invoice for clean-up and for the leftovers in the report. */
export function recordInvoiceState(ctx: CheckContext, { id, state }: Pick<Invoice, 'id' | 'state'>): void {
  ctx.run.leftovers.recordCreated(id, `invoice ${state}`, leftoverReason(state));
}

/** Brings a new invoice into a state through transitions. Throws NotApplicable when no path leads to the state. */
export async function createInvoiceInState(
  ctx: CheckContext,
  state: InvoiceState,
  changes: Partial<InvoiceBody> = {},
): Promise<Invoice> {
  if (actionsLeadingTo(state).includes('submit')) requireSubmission(ctx);
  return await moveToState(ctx, await createInvoice(ctx, changes), state);
}

/** Brings an existing invoice into a state through transitions. Omits the actions whose work an earlier one has done. */
export async function moveToState(ctx: CheckContext, invoice: Invoice, state: InvoiceState): Promise<Invoice> {
  if (!findActionPath(invoice.state, state))
    throw new NotApplicable(
      `new invoices are ${invoice.state}, and the contract names no action that leads from there to ${state}`,
    );
  for (;;) {
    const [action] = findActionPath(invoice.state, state) ?? [];
    if (!action) return invoice;
    await performStep(ctx, invoice, action);
    if (!findActionPath(invoice.state, state)) throw otherOutcome(action, invoice.state);
  }
}

function otherOutcome(action: InvoiceAction, reached: InvoiceState): NotApplicable {
  const expected = lifecycle.leadsTo[action];
  return new NotApplicable(`the ${action} action leads to ${reached} on this server; no invoice became ${expected}`);
}

/** Performs an action that the state of the invoice offers, and waits for the state that follows. */
export async function performStep(ctx: CheckContext, invoice: Invoice, action: InvoiceAction): Promise<void> {
  const from = invoice.state;
  requireBinding(ctx, action);
  const response = await performAction(ctx, action, invoice.id);
  skipIfInsufficientFunds(response);
  if (!isSuccess(response)) await endWithRejectedOffer(ctx, invoice.id, from, action, response);
  const to = lifecycle.leadsTo[action];
  if (!to) return;
  const shown = invoiceIn(response);
  invoice.hasPendingAction = true;
  const isShown = shown?.status === to && shown.id === invoice.id;
  invoice.state = isShown ? to : await waitForNextState(ctx, invoice, response, to);
  invoice.hasPendingAction = false;
  recordInvoiceState(ctx, invoice);
}

/** An invoice left its state for a reason other than the action of the check. */
export class InvoiceStateChanged extends NotApplicable {}

/**
 * Throws for an action that was rejected in the state that offers it: InvoiceStateChanged when the invoice has left
 * that state, otherwise Blocked.
 */
export async function endWithRejectedOffer(
  ctx: CheckContext,
  id: string,
  state: InvoiceState,
  action: InvoiceAction,
  response: ApiResponse,
): Promise<never> {
  const now = (await findInvoice(ctx, id)).record?.status;
  if (isInvoiceState(now) && now !== state) {
    throw new InvoiceStateChanged(`an invoice in ${state} became ${now} before the kit requested the ${action} action`);
  }
  const reason = `the ${action} action is rejected even in ${state}, where it is offered`;
  throw blockedByRejection(ctx, response, offeredCheckId(state, action), reason);
}

/** The state that follows an accepted action: the one to which the table leads, or a later one. */
async function waitForNextState(
  ctx: CheckContext,
  invoice: Invoice,
  response: ApiResponse,
  to: InvoiceState,
): Promise<InvoiceState> {
  const accepted = { action: response.request.operation as InvoiceAction, id: invoice.id, from: invoice.state };
  const { action } = accepted;
  await repeatIfRequired(ctx, accepted);
  const { isMet, record } = await waitForArrival(ctx, invoice.id, to);
  if (!isMet && record && !hasLeftState(invoice.state)(record)) {
    await blockIfEffectLate(ctx, { id: invoice.id, from: invoice.state, response });
    if (await isCompletedBySecond(ctx, accepted, to)) return to;
  }
  if (hasReached(record?.status, to)) return record.status;
  if (isInvoiceState(record?.status) && record.status !== invoice.state) throw otherOutcome(action, record.status);
  const found = record ? `is ${String(record.status)}` : 'is gone';
  throw new Blocked(outcomeCheckId(action), `after an accepted ${action} action the invoice ${found}, not ${to}`);
}

/** The check that judges an offered cell of the lifecycle table. */
export function offeredCheckId(state: InvoiceState, action: InvoiceAction): CheckId {
  return `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
}

/** The check that judges a cell in which an action is not offered. */
export function rejectedCheckId(state: InvoiceState, action: InvoiceAction): CheckId {
  return `${isSettlingUnapproved(state, action) ? 'LIFE-03' : 'LIFE-02'}.${state.toLowerCase()}-${action}` as CheckId;
}

/**
 * Rule 2 excludes the settlement of an invoice that was never approved from the conflict cases. A SETTLED invoice was
 * approved.
 */
export function isSettlingUnapproved(state: InvoiceState, action: InvoiceAction): boolean {
  return action === 'settle' && state !== 'SETTLED' && state !== 'APPROVED';
}

/** The check that judges the effect of an action. */
export function outcomeCheckId(action: InvoiceAction): CheckId {
  return `LIFE-04.${action}` as CheckId;
}

/** The state in which the lifecycle table offers an action. */
export function stateOffering(action: InvoiceAction): InvoiceState {
  const state = lifecycle.states.find((each) => lifecycle.offered[each].includes(action));
  if (!state) throw new Error(`specs/contract/lifecycle.yaml offers ${action} in no state`);
  return state;
}

/** The actions that lead from a new DRAFT to a state. */
export function actionsLeadingTo(state: InvoiceState): InvoiceAction[] {
  return findActionPath('DRAFT', state) ?? [];
}

/** What a check needs that brings an invoice into a state. */
export function needsToReach(state: InvoiceState): Need[] {
  return actionsLeadingTo(state).map((action) => (action === 'submit' ? 'submission' : action));
}

/** Whether the bound operations may lead to a state. */
export function mayReach(ctx: CheckContext, state: InvoiceState): boolean {
  const { operations } = ctx.target;
  return actionsLeadingTo(state).every(
    (action) => operations[action] || (action === 'submit' && mayBeginSubmitted(ctx)),
  );
}

/** The states of the invoices that this run has created, right after their creation. */
const initialStates = runState(() => new Set<InvoiceState>());

/** Throws NotApplicable if the target file declares submit `not-offered` and all invoices of the run began as drafts. */
export function requireSubmission(ctx: CheckContext): void {
  if (ctx.target.notOffered.includes('submit') && !mayBeginSubmitted(ctx)) requireBinding(ctx, 'submit');
}

/** Whether new invoices may be SUBMITTED because the service has no submit operation. */
function mayBeginSubmitted(ctx: CheckContext): boolean {
  const seen = [...initialStates(ctx.run)];
  return ctx.target.notOffered.includes('submit') && !(seen.length > 0 && seen.every((state) => state === 'DRAFT'));
}

/** An invoice in each state that the bound operations reach, new unless `findExisting` returns one. */
export async function createInvoiceInEachState(
  ctx: CheckContext,
  findExisting: (ctx: CheckContext, state: InvoiceState) => Promise<Invoice | null> = async () => null,
): Promise<Invoice[]> {
  const reachable = lifecycle.states.filter((state) => mayReach(ctx, state));
  const attempts = await Promise.all(
    reachable.map(async (state) => {
      try {
        return [(await findExisting(ctx, state)) ?? (await createInvoiceInState(ctx, state))];
      } catch (error) {
        if (error instanceof NotApplicable) return [];
        throw error;
      }
    }),
  );
  return attempts.flat();
}

/**
 * The invoice as a list of one, or an empty list if it cannot be made, which other checks judge. Throws Blocked if the
 * run may send no more requests.
 */
export async function ifReachable<T>(make: () => Promise<T>): Promise<T[]> {
  try {
    return [await make()];
  } catch (error) {
    if (error instanceof Blocked && isRequestLimit(error.blockedBy)) throw error;
    if (error instanceof Blocked || error instanceof NotApplicable) return [];
    throw error;
  }
}
