import { environmentOf } from '../../engine/judges/request-environment.ts';
import { mayHaveSettled } from '../../engine/ledger/payment-clock.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { type ApiResponse, isSuccess } from '../../engine/model/messages.ts';
import { invoicesOf, type JsonObject } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from './check.ts';

/** How often a run has sent a creation, by its description. */
const sendCounts = runState(() => new Map<string, number>());

/** Records the description of a creation before it is sent, if it has the mark of the run. */
export function recordSentCreation({ run }: CheckContext, body: unknown): void {
  const description = markedDescription(body);
  if (description === null) return;
  const known = sendCounts(run);
  known.set(description, (known.get(description) ?? 0) + 1);
}

/** Whether exactly one creation had this description. */
export function isSentOnce({ run }: CheckContext, description: unknown): boolean {
  return typeof description === 'string' && sendCounts(run).get(description) === 1;
}

function markedDescription(body: unknown): string | null {
  if (typeof body === 'string') {
    try {
      return markedDescription(JSON.parse(body));
    } catch {
      // A body that is not JSON is sent to be rejected.
      return null;
    }
  }
  if (typeof body !== 'object' || body === null || !('description' in body)) return null;
  return typeof body.description === 'string' && hasMark(body.description) ? body.description : null;
}

/** The amounts of the created invoices, by id. */
const amountsOf = runState(() => new Map<string, string>());

/** Records the amount of an invoice of this run, because a payment request may have to name it. */
export function recordCreatedAmount({ run }: CheckContext, id: string, amount: string): void {
  amountsOf(run).set(id, amount);
}

/** The decimal amount of an invoice of this run; undefined for any other invoice. */
export function createdAmountOf({ run }: CheckContext, id: string): string | undefined {
  return amountsOf(run).get(id);
}

/** A record as a creation or the list showed it first, with the response to its creation. */
export interface CreatedRecord {
  record: JsonObject;
  created: ApiResponse;
}

const createdRecords = runState(() => new Map<string, CreatedRecord>());

/** Records a new invoice of this run. A server may give it the id of a deleted one. */
export function recordCreatedRecord({ run }: CheckContext, id: string, shown: CreatedRecord): void {
  createdRecords(run).set(id, shown);
}

/** The first record of an invoice of this run; undefined for any other invoice. */
export function createdRecordOf({ run }: CheckContext, id: string): CreatedRecord | undefined {
  return createdRecords(run).get(id);
}

/**
 * Generated bodies have only the mark of the run. Parentheses are safe, because banks allow few other special
 * characters.
 */
const MARK_PATTERN = /\(conformance [0-9a-f]{8}( \d+)?\)/;

/** The mark in the description of a body, which identifies the resulting invoice. */
export function bodyMark({ description }: { description: string }): string {
  return MARK_PATTERN.exec(description)?.[0] ?? '';
}

/** Whether a description has the mark of any body of a run. */
export function hasMark(description: unknown): boolean {
  return typeof description === 'string' && MARK_PATTERN.test(description);
}

/** The description that a record shows; for a server that keeps it under another name, the text with a mark. */
export function shownDescription(record: JsonObject): unknown {
  return record.description ?? markedTextIn(record);
}

function markedTextIn(value: unknown): string | undefined {
  if (typeof value === 'string') return hasMark(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value)
    .map(markedTextIn)
    .find((text) => text !== undefined);
}

/** Whether a description, if the server shows it, has the mark of another body. */
export function hasOtherMark(description: unknown, body: { description: string }): boolean {
  const found = MARK_PATTERN.exec(typeof description === 'string' ? description : '')?.[0];
  return found !== undefined && !String(body.description).includes(found);
}

/** The text that distinguishes everything that this run creates from other data. */
export function runMark(ctx: CheckContext): string {
  return `conformance ${ctx.run.plan.runId.slice(0, 8)}`;
}

interface ActionHistory {
  /** When the last action was accepted, by `performance.now()`. */
  acceptedAt: number;
  /** When the invoice may have been paid last. */
  settledAt: number;
  /** The responses to rejected actions, the first ones first. */
  rejections: ApiResponse[];
}

const historiesOf = runState(() => new Map<string, ActionHistory>());

/** Records the response to an action on an invoice. If an earlier response was lost, the server may have accepted the action. */
export function recordAction(run: RunContext, id: string, response: ApiResponse): void {
  const known = historiesOf(run);
  const never = Number.NEGATIVE_INFINITY;
  const history = known.get(id) ?? { acceptedAt: never, settledAt: never, rejections: [] };
  if (isSuccess(response) || response.mayHaveDuplicatedMutation) history.acceptedAt = performance.now();
  else history.rejections.push(response);
  if (mayHaveSettled(response)) history.settledAt = performance.now();
  known.set(id, history);
}

/** The amounts of the invoices that may have been paid after a moment, by `performance.now()`; undefined if not known. */
export function amountsSettledSince({ run }: CheckContext, moment: number): (string | undefined)[] {
  return [...historiesOf(run)].flatMap(([id, { settledAt }]) => (settledAt > moment ? [amountsOf(run).get(id)] : []));
}

/** Whether an action on an invoice was accepted after a moment, by `performance.now()`. */
export function hasAcceptedActionSince(run: RunContext, id: string, moment: number): boolean {
  return (historiesOf(run).get(id)?.acceptedAt ?? Number.NEGATIVE_INFINITY) > moment;
}

/** The responses to the rejected actions on an invoice in this run, the first ones first. */
export function rejectedActionsOn(run: RunContext, id: string): readonly ApiResponse[] {
  return historiesOf(run).get(id)?.rejections ?? [];
}

const deletions = runState(() => new Map<string, ApiResponse>());

/** Records the response to an accepted deletion. */
export function recordDeletion(run: RunContext, id: string, response: ApiResponse): void {
  deletions(run).set(id, response);
}

/** The response to the last accepted deletion of an invoice. */
export function deletionOf(run: RunContext, id: string): ApiResponse | undefined {
  return deletions(run).get(id);
}

const preexistingIds = runState(() => new Set<string>());

/** Records the invoices that exist before the run creates its first one. */
export function recordPreexistingInvoices({ run }: CheckContext, records: readonly JsonObject[]): void {
  for (const { id } of records) preexistingIds(run).add(String(id));
}

/** Whether an invoice is older than the run, so that no request of the run can have created it. */
export function isPreexisting({ run }: CheckContext, { id }: JsonObject): boolean {
  return preexistingIds(run).has(String(id));
}

/** A response that shows a state of higher rank replaces an earlier one. */
const RANK: Partial<Record<InvoiceState, number>> = { APPROVED: 1, SETTLED: 2, CANCELLED: 2 };

export interface ShownState {
  state: InvoiceState;
  /** The response that first showed it. */
  response: ApiResponse;
}

const shownStates = runState(() => new Map<string, ShownState>());

/** Records the sandbox invoices that a response shows as APPROVED, SETTLED or CANCELLED. Later responses must agree. */
export function recordShownStates(run: RunContext, response: ApiResponse): void {
  // A queued action may show the state that it is meant to reach.
  if (response.status === 202 || environmentOf(response.request) !== 'SANDBOX') return;
  const shown = shownStates(run);
  for (const { record } of invoicesOf(response)) {
    const rank = RANK[record.status as InvoiceState];
    const known = shown.get(String(record.id));
    if (rank === undefined || (known && (RANK[known.state] ?? 0) >= rank)) continue;
    shown.set(String(record.id), { state: record.status as InvoiceState, response });
  }
}

/** The invoices that a response of this run has shown in one of the states, by id. */
export function invoicesShownIn(run: RunContext, states: readonly InvoiceState[]): [string, ShownState][] {
  return [...shownStates(run)].filter(([, { state }]) => states.includes(state));
}
