import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { CheckContext } from '../context/check.ts';
import { hasMark, isPreexisting } from '../context/invoice-history.ts';
import { type InvoiceBody, isCreatedFrom } from '../data/invoice-body.ts';

/** The time, in milliseconds, until the run knows the origin of an invoice that another check created. */
export const MAX_ORIGIN_DELAY_MS = 400;

/** By invoice id: the description of the body that created the invoice. */
const originsOf = runState(() => new Map<string, string>());

/** Records which body created an invoice. */
export function recordOrigin({ run }: CheckContext, id: string, { description }: InvoiceBody): void {
  originsOf(run).set(id, description);
}

/** The description of the body that created an invoice; undefined for an invoice of others. */
export function originOf({ run }: CheckContext, { id }: JsonObject): string | undefined {
  return originsOf(run).get(String(id));
}

/**
 * The ids of all records that a body may have created. Excludes invoices that existed before the run, that another
 * body created, or that show another description.
 */
export async function candidatesFor(
  ctx: CheckContext,
  records: readonly JsonObject[],
  body: InvoiceBody,
): Promise<Set<string>> {
  const found = records.filter((record) => isCreatedFrom(record, body) && !isPreexisting(ctx, record));
  const shown = found.some(({ description }) => hasMark(description));
  const ofOthers = ({ description }: JsonObject) => shown && typeof description === 'string' && !hasMark(description);
  const alike = new Set(found.filter((record) => !ofOthers(record)).map(({ id }) => String(id)));
  if (alike.size < 2) return alike;
  const known = originsOf(ctx.run);
  // The origin of an invoice without a description is known and undefined.
  const ofOther = (id: string) => known.has(id) && known.get(id) !== body.description;
  // The response to that other creation may be late.
  if (![...alike].some(ofOther)) await pause(MAX_ORIGIN_DELAY_MS);
  return new Set([...alike].filter((id) => !ofOther(id)));
}
