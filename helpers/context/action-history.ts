import type { ApiResponse } from '../../engine/model/messages.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { runState } from './run-state.ts';

interface ActionHistory {
  /** When the last action was accepted, by `performance.now()`. */
  acceptedAt: number;
  /** Whether the server rejected any action. */
  isRejected: boolean;
}

const historiesOf = runState(() => new Map<string, ActionHistory>());

/**
 * Records that an action on an invoice was accepted now, that it may have been because a response was lost, or that it
 * was rejected.
 */
export function recordAction(run: RunContext, id: string, isAccepted: boolean): void {
  const known = historiesOf(run);
  const { acceptedAt, isRejected } = known.get(id) ?? { acceptedAt: Number.NEGATIVE_INFINITY, isRejected: false };
  const now = isAccepted ? { acceptedAt: performance.now(), isRejected } : { acceptedAt, isRejected: true };
  known.set(id, now);
}

/** Whether an action on an invoice was accepted after a moment, by `performance.now()`. */
export function hasAcceptedActionSince(run: RunContext, id: string, moment: number): boolean {
  return (historiesOf(run).get(id)?.acceptedAt ?? Number.NEGATIVE_INFINITY) > moment;
}

/** Whether an action on an invoice was rejected in this run. */
export function hasRejectedAction(run: RunContext, id: string): boolean {
  return historiesOf(run).get(id)?.isRejected ?? false;
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
