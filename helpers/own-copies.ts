import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../engine/invoice-record.ts';
import { copiesOf } from './copies.ts';
import { bearsMark, type InvoiceBody } from './invoice-body.ts';
import { freshInvoice } from './invoices.ts';
import type { Lab } from './lab.ts';
import { findOf, recent } from './look.ts';
import { notApplicable } from './not-judged.ts';

/** What comes of a creation has come by then, in milliseconds; what comes later, somebody else has made. */
const LATER_MS = 1200;

/**
 * As `copiesOf`. Throws NotApplicable where there are several, nothing tells whose they are, and somebody else keeps making invoices of
 * the sum and date of what the kit has made.
 */
export async function ownCopiesOf(lab: Lab, records: readonly JsonObject[], body: InvoiceBody): Promise<Set<string>> {
  const copies = await copiesOf(lab, records, body);
  const told = records.some(({ description }) => bearsMark(description));
  if (copies.size > 1 && !told && (await lab.run.once('others copy', () => othersCopy(lab))))
    notApplicable('others keep creating invoices of the same sums and dates here, and no list shows a description');
  return copies;
}

/** Whether there are more and more invoices like one that was made alone. */
async function othersCopy(lab: Lab): Promise<boolean> {
  const { body } = await freshInvoice(lab);
  await findOf(lab, body);
  const count = async () => (await copiesOf(lab, (await recent(lab)()).records, body)).size;
  const before = await count();
  await pause(LATER_MS);
  return (await count()) > before;
}
