import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { wasThereBefore } from '../context/preexisting-invoices.ts';
import { bearsMark } from '../context/run-mark.ts';
import { isSentOnce } from '../context/sent-creations.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { copiesOf, originOf } from '../invoices/candidate-invoices.ts';
import { findOf, recent } from '../invoices/find-invoice.ts';
import { freshInvoice } from '../invoices/invoices.ts';

/** What comes of a creation has come by then, in milliseconds; what comes later, somebody else has made. */
const LATER_MS = 1200;

/**
 * As `copiesOf`. Throws NotApplicable where there are several, nothing tells whose they are, and somebody else makes invoices of the
 * sum and date of what the kit has made: some of them have copies, and most have none, or there are ever more.
 */
export async function ownCopiesOf(lab: Lab, records: readonly JsonObject[], body: InvoiceBody): Promise<Set<string>> {
  const copies = await copiesOf(lab, records, body);
  if (copies.size < 2 || isTold(records)) return copies;
  // A server that makes two of each makes two of nearly all.
  const { once, copied } = askedForOnce(lab, records);
  const ofSome = copied >= FEW && 2 * copied < once;
  if (ofSome || (await lab.run.once('others copy', () => othersCopy(lab))))
    notApplicable('others create invoices of the same sums and dates here, and no list shows a description');
  return copies;
}

const isTold = (records: readonly JsonObject[]) => records.some(({ description }) => bearsMark(description));

/** One may be chance. */
const FEW = 2;

/** As `ownCopiesOf`, where the creation was repeated: throws NotApplicable, too, where what was asked for once has copies as well. */
export async function copiesOfRepeated(
  lab: Lab,
  records: readonly JsonObject[],
  body: InvoiceBody,
): Promise<Set<string>> {
  const copies = await ownCopiesOf(lab, records, body);
  if (copies.size > 1 && !isTold(records) && askedForOnce(lab, records).copied >= FEW)
    notApplicable('there are invoices of the same sum and date beside those, too, whose creation was never repeated');
  return copies;
}

/** How many invoices of the run were asked for once, and how many of them others have the sum and date of. */
function askedForOnce(lab: Lab, records: readonly JsonObject[]): { once: number; copied: number } {
  const whatIs = ({ amount, dueDate, currency }: JsonObject) => JSON.stringify([amount, dueDate, currency]);
  const strangers = records.filter((each) => originOf(lab, each) === undefined && !wasThereBefore(lab, each));
  const strange = new Set(strangers.map(whatIs));
  const once = records.filter((each) => isSentOnce(lab, originOf(lab, each)));
  return { once: once.length, copied: once.filter((each) => strange.has(whatIs(each))).length };
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
