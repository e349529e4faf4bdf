import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from './check-context.ts';

const amountsByRun = new WeakMap<RunContext, Map<string, string>>();

/** Notes the sum of an invoice of the run: who pays it may have to say how much. */
export function recordCreatedAmount({ run }: CheckContext, id: string, amount: string): void {
  const known = amountsByRun.get(run) ?? new Map<string, string>();
  amountsByRun.set(run, known.set(id, amount));
}

/** The sum of an invoice of the run, decimal; undefined for any other one. */
export function createdAmountOf({ run }: CheckContext, id: string): string | undefined {
  return amountsByRun.get(run)?.get(id);
}
