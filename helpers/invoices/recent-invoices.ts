import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { NEWEST_FIRST } from '../api/operations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { findInvoice, MAX_SEARCHED_PAGES, newestInvoices, newestPage, RECENT_PAGES } from './find-invoice.ts';

/** The number of foreign invoices to expect while the run has few of its own. */
const EXPECTED_FOREIGN_INVOICES = 10;

/**
 * Reads an actor's newest invoices: as many as the run may have created since a moment. The second read goes further
 * back, and the last one goes as far as possible, twice, because a deletion can move an invoice to a page that was
 * read already.
 */
export function recentInvoicesReader(
  ctx: CheckContext,
  as: ActorName = 'seller',
): (last?: boolean) => Promise<{ records: JsonObject[]; response: ApiResponse }> {
  const own = ctx.run.leftovers.entries().filter(([, { what }]) => what.startsWith('invoice')).length;
  let pages = Math.min(RECENT_PAGES, Math.ceil((own + EXPECTED_FOREIGN_INVOICES) / NEWEST_FIRST.limit));
  return async (last = false) => {
    const found = await readNewestRecords(ctx, as, last ? MAX_SEARCHED_PAGES : pages);
    pages = RECENT_PAGES;
    if (!last || found.records.length <= RECENT_PAGES * NEWEST_FIRST.limit) return found;
    const seen = new Set(found.records.map(({ id }) => id));
    const again = await readNewestRecords(ctx, as, MAX_SEARCHED_PAGES);
    return { ...again, records: [...found.records, ...again.records.filter(({ id }) => !seen.has(id))] };
  };
}

async function readNewestRecords(
  ctx: CheckContext,
  as: ActorName,
  pages: number,
): Promise<{ records: JsonObject[]; response: ApiResponse }> {
  let { records, response } = await newestInvoices(ctx, as);
  for (let page = 1; page < pages && records.length === page * NEWEST_FIRST.limit; page += 1) {
    const next = await newestPage(ctx, page, as);
    if (!next) break;
    response = next;
    records = [...records, ...listItems(next)];
  }
  return { records, response };
}

/** Units to which a list may round times, coarsest first. */
const TIME_UNITS_MS = [60_000, 1000];

/**
 * Handles an invoice that is not among the newest of a list. Throws NotApplicable if it may be behind them, because
 * its date is not later than any of theirs.
 */
export async function skipUnlessListedFirst(
  ctx: CheckContext,
  { id, created }: { id: string; created: ApiResponse },
  shown: readonly JsonObject[],
): Promise<void> {
  const fromCreation = foundRecordIn(created)?.record.createdAt;
  const read =
    ctx.target.operations.read && fromCreation === undefined
      ? (await findInvoice(ctx, id)).record?.createdAt
      : fromCreation;
  const moments = shown.map(({ createdAt }) => utcEpochMs(createdAt));
  // The list may round the time to seconds or minutes, although the creation shows milliseconds.
  const unit = TIME_UNITS_MS.find((each) => moments.every((moment) => moment % each === 0)) ?? 1;
  const moment = Math.floor(utcEpochMs(read) / unit) * unit;
  const behind = moments.length > 0 && moments.every((each) => each >= moment);
  if (behind) notApplicable(`${shown.length} invoices are dated no earlier than the new invoice ${id}`);
}
