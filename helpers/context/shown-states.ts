import { environmentOf } from '../../engine/judges/request-environment.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { invoicesOf } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { runState } from './run-state.ts';

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
