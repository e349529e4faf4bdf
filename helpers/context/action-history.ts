import type { Run } from '../../engine/run/run-context.ts';

interface SoFar {
  /** When the last action was accepted, by `performance.now()`. */
  acceptedAt: number;
  /** Whether any was refused. */
  isRefused: boolean;
}

const soFarOf = new WeakMap<Run, Map<string, SoFar>>();

/** Remembers that an action on an invoice was accepted just now, or may have been because an answer got lost; or that it was refused. */
export function noteAction(run: Run, id: string, isAccepted: boolean): void {
  const known = soFarOf.get(run) ?? new Map<string, SoFar>();
  const { acceptedAt, isRefused } = known.get(id) ?? { acceptedAt: Number.NEGATIVE_INFINITY, isRefused: false };
  const now = isAccepted ? { acceptedAt: performance.now(), isRefused } : { acceptedAt, isRefused: true };
  soFarOf.set(run, known.set(id, now));
}

/** Whether an action on an invoice was accepted after a moment, by `performance.now()`. */
export function acceptedSince(run: Run, id: string, moment: number): boolean {
  return (soFarOf.get(run)?.get(id)?.acceptedAt ?? Number.NEGATIVE_INFINITY) > moment;
}

/** Whether an action on an invoice was refused in the course of the run. */
export function wasRefusedOn(run: Run, id: string): boolean {
  return soFarOf.get(run)?.get(id)?.isRefused ?? false;
}
