import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isPreexisting } from '../context/preexisting-invoices.ts';
import { hasMark } from '../context/run-mark.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { isCreatedFrom } from './find-invoice.ts';

/** How long an accepted creation of another check may take to be known as such, in milliseconds. */
export const MAX_ORIGIN_DELAY_MS = 400;

/** By id: the description of the body that an invoice of the run came of. */
const originsByRun = new WeakMap<RunContext, Map<string, string>>();

/** Notes which body an invoice came of. */
export function recordOrigin({ run }: CheckContext, id: string, { description }: InvoiceBody): void {
  const known = originsByRun.get(run) ?? new Map<string, string>();
  originsByRun.set(run, known.set(id, description));
}

/** The description of the body that an invoice of the run came of; undefined for one of others. */
export function originOf({ run }: CheckContext, { id }: JsonObject): string | undefined {
  return originsByRun.get(run)?.get(String(id));
}

/**
 * The ids of all invoices among the records that may have come of a body. Others may be of the same sum and date: what was there
 * before the run, what is known to have come of another body, and, where the server shows what was sent, what says something else.
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
  const known = originsByRun.get(ctx.run);
  // The origin of an invoice without a description is known, too, and is undefined.
  const ofOther = (id: string) => known?.has(id) === true && known.get(id) !== body.description;
  // The answer to that other creation may still be on its way.
  if (![...alike].some(ofOther)) await pause(MAX_ORIGIN_DELAY_MS);
  return new Set([...alike].filter((id) => !ofOther(id)));
}
