import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from './check-context.ts';

const preexistingIds = new WeakMap<RunContext, ReadonlySet<string>>();

/** Records the invoices that exist before the run creates its first one. */
export function recordPreexistingInvoices({ run }: CheckContext, records: readonly JsonObject[]): void {
  preexistingIds.set(run, new Set(records.map(({ id }) => String(id))));
}

/** Whether an invoice is older than the run, so that no request of the run can have created it. */
export function isPreexisting({ run }: CheckContext, { id }: JsonObject): boolean {
  return preexistingIds.get(run)?.has(String(id)) ?? false;
}
