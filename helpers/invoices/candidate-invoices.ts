import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import type { Run } from '../../engine/run/run-context.ts';
import type { Lab } from '../context/check-context.ts';
import { wasThereBefore } from '../context/preexisting-invoices.ts';
import { bearsMark } from '../context/run-mark.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { isOf } from './find-invoice.ts';

/** How long an accepted creation of another check may take to be known as such, in milliseconds. */
export const BEFORE_KNOWN_MS = 400;

/** By id: the description of the body that an invoice of the run came of. */
const origins = new WeakMap<Run, Map<string, string>>();

/** Notes which body an invoice came of. */
export function noteOrigin({ run }: Lab, id: string, { description }: InvoiceBody): void {
  const known = origins.get(run) ?? new Map<string, string>();
  origins.set(run, known.set(id, description));
}

/** The description of the body that an invoice of the run came of; undefined for one of others. */
export function originOf({ run }: Lab, { id }: JsonObject): string | undefined {
  return origins.get(run)?.get(String(id));
}

/**
 * The ids of all invoices among the records that may have come of a body. Others may be of the same sum and date: what was there
 * before the run, what is known to have come of another body, and, where the server shows what was sent, what says something else.
 */
export async function copiesOf(lab: Lab, records: readonly JsonObject[], body: InvoiceBody): Promise<Set<string>> {
  const found = records.filter((record) => isOf(record, body) && !wasThereBefore(lab, record));
  const shown = found.some(({ description }) => bearsMark(description));
  const ofOthers = ({ description }: JsonObject) => shown && typeof description === 'string' && !bearsMark(description);
  const alike = new Set(found.filter((record) => !ofOthers(record)).map(({ id }) => String(id)));
  if (alike.size < 2) return alike;
  const known = origins.get(lab.run);
  // The origin of an invoice without a description is known, too, and is undefined.
  const ofOther = (id: string) => known?.has(id) === true && known.get(id) !== body.description;
  // The answer to that other creation may still be on its way.
  if (![...alike].some(ofOther)) await pause(BEFORE_KNOWN_MS);
  return new Set([...alike].filter((id) => !ofOther(id)));
}
