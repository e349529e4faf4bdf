import type { Run } from '../../engine/run/run-context.ts';
import type { Lab } from './check-context.ts';

const sums = new WeakMap<Run, Map<string, string>>();

/** Notes the sum of an invoice of the run: who pays it may have to say how much. */
export function noteSum({ run }: Lab, id: string, amount: string): void {
  const known = sums.get(run) ?? new Map<string, string>();
  sums.set(run, known.set(id, amount));
}

/** The sum of an invoice of the run, decimal; undefined for any other one. */
export function sumOf({ run }: Lab, id: string): string | undefined {
  return sums.get(run)?.get(id);
}
