import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { CheckContext } from './check-context.ts';
import { runState } from './run-state.ts';

const preexistingIds = runState(() => new Set<string>());

/** Records the invoices that exist before the run creates its first one. */
export function recordPreexistingInvoices({ run }: CheckContext, records: readonly JsonObject[]): void {
  for (const { id } of records) preexistingIds(run).add(String(id));
}

/** Whether an invoice is older than the run, so that no request of the run can have created it. */
export function isPreexisting({ run }: CheckContext, { id }: JsonObject): boolean {
  return preexistingIds(run).has(String(id));
}
