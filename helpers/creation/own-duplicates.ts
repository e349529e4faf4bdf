import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isPreexisting } from '../context/preexisting-invoices.ts';
import { hasMark } from '../context/run-mark.ts';
import { isSentOnce } from '../context/sent-creations.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { candidatesFor, originOf } from '../invoices/candidate-invoices.ts';
import { findCreatedInvoice, recentInvoicesReader } from '../invoices/find-invoice.ts';
import { createInvoice } from '../invoices/invoices.ts';

/** What comes of a creation has come by then, in milliseconds; what comes later, somebody else has made. */
const DUPLICATE_OBSERVATION_MS = 1200;

/**
 * As `candidatesFor`. Throws NotApplicable where there are several, nothing tells whose they are, and somebody else makes invoices of the
 * sum and date of what the kit has made: some of them have copies, and most have none, or there are ever more.
 */
export async function ownDuplicatesOf(
  ctx: CheckContext,
  records: readonly JsonObject[],
  body: InvoiceBody,
): Promise<Set<string>> {
  const copies = await candidatesFor(ctx, records, body);
  if (copies.size < 2 || hasMarkedDescription(records)) return copies;
  // A server that makes two of each makes two of nearly all.
  const { once, copied } = countSingleCreations(ctx, records);
  const ofSome = copied >= MIN_DUPLICATED_SINGLES && 2 * copied < once;
  if (ofSome || (await ctx.run.memoize('others copy', () => othersCreateDuplicates(ctx))))
    notApplicable('others create invoices of the same sums and dates here, and no list shows a description');
  return copies;
}

const hasMarkedDescription = (records: readonly JsonObject[]) =>
  records.some(({ description }) => hasMark(description));

/** One may be chance. */
const MIN_DUPLICATED_SINGLES = 2;

/** As `ownDuplicatesOf`, where the creation was repeated: throws NotApplicable, too, where what was asked for once has copies as well. */
export async function replayDuplicatesOf(
  ctx: CheckContext,
  records: readonly JsonObject[],
  body: InvoiceBody,
): Promise<Set<string>> {
  const copies = await ownDuplicatesOf(ctx, records, body);
  if (
    copies.size > 1 &&
    !hasMarkedDescription(records) &&
    countSingleCreations(ctx, records).copied >= MIN_DUPLICATED_SINGLES
  )
    notApplicable('there are invoices of the same sum and date beside those, too, whose creation was never repeated');
  return copies;
}

/** How many invoices of the run were asked for once, and how many of them others have the sum and date of. */
function countSingleCreations(ctx: CheckContext, records: readonly JsonObject[]): { once: number; copied: number } {
  const whatIs = ({ amount, dueDate, currency }: JsonObject) => JSON.stringify([amount, dueDate, currency]);
  const strangers = records.filter((each) => originOf(ctx, each) === undefined && !isPreexisting(ctx, each));
  const strange = new Set(strangers.map(whatIs));
  const once = records.filter((each) => isSentOnce(ctx, originOf(ctx, each)));
  return { once: once.length, copied: once.filter((each) => strange.has(whatIs(each))).length };
}

/** Whether there are more and more invoices like one that was made alone. */
async function othersCreateDuplicates(ctx: CheckContext): Promise<boolean> {
  const { body } = await createInvoice(ctx);
  await findCreatedInvoice(ctx, body);
  const count = async () => (await candidatesFor(ctx, (await recentInvoicesReader(ctx)()).records, body)).size;
  const before = await count();
  await pause(DUPLICATE_OBSERVATION_MS);
  return (await count()) > before;
}
