import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../engine/invoice-record.ts';
import type { Run } from '../engine/run.ts';
import type { InvoiceBody } from './invoice-body.ts';
import type { Lab } from './lab.ts';
import { isOf } from './look.ts';

/** How long an accepted creation of another check may take to be known as such, in milliseconds. */
export const BEFORE_KNOWN_MS = 400;

/** By id: the description of the body that an invoice of the run came of. */
const origins = new WeakMap<Run, Map<string, string>>();

/** Notes which body an invoice came of. */
export function noteOrigin({ run }: Lab, id: string, { description }: InvoiceBody): void {
  const known = origins.get(run) ?? new Map<string, string>();
  origins.set(run, known.set(id, description));
}

/**
 * The ids of all invoices among the records that may have come of a body. Where descriptions are not shown, an invoice of
 * another check may have the same sum and date: what is known to have come of another body is none.
 */
export async function copiesOf(lab: Lab, records: readonly JsonObject[], body: InvoiceBody): Promise<Set<string>> {
  const alike = new Set(records.filter((record) => isOf(record, body)).map(({ id }) => String(id)));
  if (alike.size < 2) return alike;
  const ofOther = (id: string) => (origins.get(lab.run)?.get(id) ?? body.description) !== body.description;
  // The answer to that other creation may still be on its way.
  if (![...alike].some(ofOther)) await pause(BEFORE_KNOWN_MS);
  return new Set([...alike].filter((id) => !ofOther(id)));
}
