import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import { foundIn, invoiceIn, type JsonObject } from '../../engine/records/find-invoice-record.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { type InvoiceAction, type InvoiceState, lifecycle, wayTo } from '../../specs/lifecycle.ts';
import { expectFunds, maybeRuled } from '../api/error-codes.ts';
import { binding, postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { blockedByRefusal } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { noteSum } from '../context/created-amounts.ts';
import { remainsBecause } from '../context/leftover-reason.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { perform } from './acting-party.ts';
import { noteOrigin } from './candidate-invoices.ts';
import { findOf, hasLeft, look, lookUntil } from './find-invoice.ts';
import { expectNotLate } from './late-effect.ts';

/** An invoice that this run has created. */
export interface Invoice {
  id: string;
  body: InvoiceBody;
  /** The state it was last seen in. */
  state: InvoiceState;
  /** The answer that created it. */
  created: ApiResponse;
  /** An action was accepted and does not show yet: what becomes of the invoice is no trace of anything else. */
  isUnderWay?: boolean;
  /** What it went through beside the way to its state, and how another one with these changes goes through the same. */
  history?: { name: string; repeat: (changes: Partial<InvoiceBody>) => Promise<Invoice> };
}

/** Whether this run may create invoices, and knows for whom. */
export function mayCreate({ run: { plan } }: Lab): boolean {
  return plan.mutations && plan.organizations.buyer !== undefined;
}

/** Creates a valid invoice. Throws Blocked when the server does not let it be created. */
export async function freshInvoice(lab: Lab, changes: Partial<InvoiceBody> = {}): Promise<Invoice> {
  for (let tries = 1; ; tries += 1) {
    const body = { ...validBody(lab), ...changes };
    const created = await postInvoice(lab, body);
    // What a rule of the server's own refuses once, by chance or at this moment, it may accept the next time.
    const ruled = maybeRuled(created) && lab.run.leftovers().length > 0;
    if (!ruled || tries === CREATION_TRIES) return await invoiceOf(lab, body, created);
  }
}

const CREATION_TRIES = 2;

/** The invoice that an accepted creation made, found in the list where the answer does not show it. */
export async function invoiceOf(lab: Lab, body: InvoiceBody, created: ApiResponse): Promise<Invoice> {
  if (!isSuccess(created)) {
    throw blockedByRefusal(lab, created, 'CREATE-13.required-only', 'no invoice can be created');
  }
  const shown = foundIn(created);
  if (shown) lab.observe('create-record-place', shown.place.length === 0 ? 'the body itself' : shown.place.join('.'));
  const record = typeof shown?.record.id === 'string' ? shown.record : (await findOf(lab, body)).record;
  if (!record || (typeof record.id !== 'string' && typeof record.id !== 'number')) {
    throw new Blocked('CREATE-11.carries-invoice', 'the created invoice is neither in the answer nor in the list');
  }
  const invoice: Invoice = { id: String(record.id), body, state: await initialState(lab, record), created };
  lab.observe('initial-state', invoice.state);
  noteOrigin(lab, invoice.id, body);
  noteSum(lab, invoice.id, typeof record.amount === 'string' ? record.amount : body.amount);
  keepTrack(lab, invoice);
  return invoice;
}

async function initialState(lab: Lab, record: JsonObject): Promise<InvoiceState> {
  const shown = isState(record.status) ? record.status : (await look(lab, String(record.id))).record?.status;
  if (isState(shown)) return shown;
  throw new Blocked('REC-03.status', `a new invoice has the status ${JSON.stringify(shown)}, which is none of the six`);
}

export function isState(value: unknown): value is InvoiceState {
  return (lifecycle.states as readonly unknown[]).includes(value);
}

/** Notes in which state an invoice stays behind, for tidying up and for the report. */
export function keepTrack(lab: Lab, { id, state }: Pick<Invoice, 'id' | 'state'>): void {
  lab.run.leave(id, `invoice ${state}`, remainsBecause(state));
}

/** Brings a new invoice into a state through real transitions. Throws NotApplicable when no way leads there. */
export async function reach(lab: Lab, state: InvoiceState, changes: Partial<InvoiceBody> = {}): Promise<Invoice> {
  return await bring(lab, await freshInvoice(lab, changes), state);
}

/** As `reach`, with an invoice that is there. */
export async function bring(lab: Lab, invoice: Invoice, state: InvoiceState): Promise<Invoice> {
  const way = wayTo(invoice.state, state);
  if (!way) throw new NotApplicable(`new invoices are ${invoice.state}; none is ever ${state}`);
  for (const action of way) await step(lab, invoice, action);
  return invoice;
}

async function step(lab: Lab, invoice: Invoice, action: InvoiceAction): Promise<void> {
  const from = invoice.state;
  binding(lab, action);
  const answer = await perform(lab, action, invoice.id);
  expectFunds(answer);
  if (!isSuccess(answer)) await refusedWhereOffered(lab, invoice.id, from, action, answer);
  const to = lifecycle.leadsTo[action];
  if (!to) return;
  const shown = invoiceIn(answer);
  invoice.isUnderWay = true;
  if (shown?.status !== to || shown.id !== invoice.id) await arrive(lab, invoice, answer, to);
  invoice.isUnderWay = false;
  invoice.state = to;
  keepTrack(lab, invoice);
}

/** An invoice has left its state, and not by an action that names it. */
export class MovedMeanwhile extends NotApplicable {}

/**
 * What it means for a check that an action is refused in the state that offers it. Throws MovedMeanwhile when the invoice has
 * left that state, otherwise Blocked.
 */
export async function refusedWhereOffered(
  lab: Lab,
  id: string,
  state: InvoiceState,
  action: InvoiceAction,
  answer: ApiResponse,
): Promise<never> {
  const now = (await look(lab, id)).record?.status;
  if (isState(now) && now !== state) {
    throw new MovedMeanwhile(`an invoice in ${state} became ${now} before ${action} could be asked for`);
  }
  const reason = `${action} is refused even in ${state}, where it is offered`;
  throw blockedByRefusal(lab, answer, offeredCheck(state, action), reason);
}

async function arrive(lab: Lab, invoice: Invoice, answer: ApiResponse, to: InvoiceState): Promise<void> {
  const action = answer.ask.operation as InvoiceAction;
  const { held, record } = await lookUntil(lab, invoice.id, (found) => found?.status === to);
  if (!held && record && !hasLeft(invoice.state)(record)) {
    await expectNotLate(lab, { id: invoice.id, from: invoice.state, answer });
  }
  if (!held && isState(record?.status) && record.status !== invoice.state) {
    throw new NotApplicable(`${action} leads to ${record.status} here; no invoice was seen to become ${to}`);
  }
  if (!held) {
    const found = record ? `is ${String(record.status)}` : 'is gone';
    throw new Blocked(outcomeCheck(action), `after an accepted ${action} the invoice ${found}, not ${to}`);
  }
}

/** The check that owns the offered cell of the lifecycle table. */
export function offeredCheck(state: InvoiceState, action: InvoiceAction): CheckId {
  return `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
}

/** The check that owns a cell in which an action is not offered. */
export function refusedCheck(state: InvoiceState, action: InvoiceAction): CheckId {
  return `${settlesUnapproved(state, action) ? 'LIFE-03' : 'LIFE-02'}.${state.toLowerCase()}-${action}` as CheckId;
}

/** Rule 2 leaves no conflict case to settling what was never approved; what is SETTLED has been. */
export function settlesUnapproved(state: InvoiceState, action: InvoiceAction): boolean {
  return action === 'settle' && state !== 'SETTLED' && state !== 'APPROVED';
}

/** The check that owns what becomes of an invoice by an action. */
export function outcomeCheck(action: InvoiceAction): CheckId {
  return `LIFE-04.${action}` as CheckId;
}

/** The state in which the table offers an action. */
export function stateOffering(action: InvoiceAction): InvoiceState {
  const state = lifecycle.states.find((each) => lifecycle.offered[each].includes(action));
  if (!state) throw new Error(`specs/lifecycle.yaml offers ${action} in no state`);
  return state;
}

/** The operations that lead a new DRAFT to a state. */
export function operationsTo(state: InvoiceState): InvoiceAction[] {
  return wayTo('DRAFT', state) ?? [];
}

/** A new invoice in each state that the bound operations lead to, unless one is there already. */
export async function inEachState(
  lab: Lab,
  thereAlready: (lab: Lab, state: InvoiceState) => Promise<Invoice | null> = async () => null,
): Promise<Invoice[]> {
  const reachable = lifecycle.states.filter((state) =>
    operationsTo(state).every((action) => lab.target.operations[action]),
  );
  const attempts = await Promise.all(
    reachable.map(async (state) => {
      try {
        return [(await thereAlready(lab, state)) ?? (await reach(lab, state))];
      } catch (error) {
        if (error instanceof NotApplicable) return [];
        throw error;
      }
    }),
  );
  return attempts.flat();
}

/** What can be made, or nothing: why no invoice comes that far is judged elsewhere. */
export async function whereReachable<T>(make: () => Promise<T>): Promise<T[]> {
  try {
    return [await make()];
  } catch (error) {
    if (error instanceof Blocked || error instanceof NotApplicable) return [];
    throw error;
  }
}
