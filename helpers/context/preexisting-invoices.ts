import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import type { Run } from '../../engine/run/run-context.ts';
import type { Lab } from './check-context.ts';

const there = new WeakMap<Run, ReadonlySet<string>>();

/** Remembers what is there before the run makes any invoice of its own. */
export function noteThere({ run }: Lab, records: readonly JsonObject[]): void {
  there.set(run, new Set(records.map(({ id }) => String(id))));
}

/** Whether an invoice is known to be older than the run: whatever it looks like, nothing of the run's came to it. */
export function wasThereBefore({ run }: Lab, { id }: JsonObject): boolean {
  return there.get(run)?.has(String(id)) ?? false;
}
