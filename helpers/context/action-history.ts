import type { RunContext } from '../../engine/run/run-context.ts';

interface ActionHistory {
  /** When the last action was accepted, by `performance.now()`. */
  acceptedAt: number;
  /** Whether the server rejected any action. */
  isRejected: boolean;
}

const historiesByRun = new WeakMap<RunContext, Map<string, ActionHistory>>();

/**
 * Records that an action on an invoice was accepted now, that it may have been because a response was lost, or that it
 * was rejected.
 */
export function recordAction(run: RunContext, id: string, isAccepted: boolean): void {
  const known = historiesByRun.get(run) ?? new Map<string, ActionHistory>();
  const { acceptedAt, isRejected } = known.get(id) ?? { acceptedAt: Number.NEGATIVE_INFINITY, isRejected: false };
  const now = isAccepted ? { acceptedAt: performance.now(), isRejected } : { acceptedAt, isRejected: true };
  historiesByRun.set(run, known.set(id, now));
}

/** Whether an action on an invoice was accepted after a moment, by `performance.now()`. */
export function hasAcceptedActionSince(run: RunContext, id: string, moment: number): boolean {
  return (historiesByRun.get(run)?.get(id)?.acceptedAt ?? Number.NEGATIVE_INFINITY) > moment;
}

/** Whether an action on an invoice was rejected in this run. */
export function hasRejectedAction(run: RunContext, id: string): boolean {
  return historiesByRun.get(run)?.get(id)?.isRejected ?? false;
}
