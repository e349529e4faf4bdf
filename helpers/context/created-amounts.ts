import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from './check-context.ts';

const amountsByRun = new WeakMap<RunContext, Map<string, string>>();

/** Records the amount of an invoice of this run, because a payment request may have to name it. */
export function recordCreatedAmount({ run }: CheckContext, id: string, amount: string): void {
  const known = amountsByRun.get(run) ?? new Map<string, string>();
  amountsByRun.set(run, known.set(id, amount));
}

/** The decimal amount of an invoice of this run; undefined for any other invoice. */
export function createdAmountOf({ run }: CheckContext, id: string): string | undefined {
  return amountsByRun.get(run)?.get(id);
}
