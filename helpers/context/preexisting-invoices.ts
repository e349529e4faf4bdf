import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from './check-context.ts';

const preexistingIds = new WeakMap<RunContext, ReadonlySet<string>>();

/** Remembers what is there before the run makes any invoice of its own. */
export function recordPreexistingInvoices({ run }: CheckContext, records: readonly JsonObject[]): void {
  preexistingIds.set(run, new Set(records.map(({ id }) => String(id))));
}

/** Whether an invoice is known to be older than the run: whatever it looks like, nothing of the run's came to it. */
export function isPreexisting({ run }: CheckContext, { id }: JsonObject): boolean {
  return preexistingIds.get(run)?.has(String(id)) ?? false;
}
