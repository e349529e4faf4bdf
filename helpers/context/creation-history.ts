import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { CheckContext } from './check-context.ts';
import { hasMark } from './run-mark.ts';
import { runState } from './run-state.ts';

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
