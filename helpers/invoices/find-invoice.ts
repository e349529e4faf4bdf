import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import {
  foundRecordIn,
  INVOICE_FIELDS,
  invoiceIn,
  isObject,
  type JsonObject,
  listItems,
} from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import { findActionPath, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import { coalescedList } from '../api/coalesced-list.ts';
import { NEWEST_FIRST, readInvoice } from '../api/operations.ts';
import { is2xx } from '../api/responses.ts';
import { blockUnlessHasItems, readListItems } from '../assert/list-items.ts';
import { blockedByRejection } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isPreexisting } from '../context/preexisting-invoices.ts';
import { hasOtherMark } from '../context/run-mark.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';

/** The record of an invoice, or null where it is not visible, with the response that showed it. */
export interface FoundInvoice {
  record: JsonObject | null;
  response: ApiResponse;
}

const MAX_PAGES = 10;

/** Other users may create a hundred invoices between a creation and a read. */
const RECENT_PAGES = 3;

/** The number of foreign invoices to expect while the run has few of its own. */
const EXPECTED_FOREIGN_INVOICES = 10;

/** The newest invoices of an actor's list. Throws Blocked when the list cannot be read. */
export async function newestInvoices(
  ctx: CheckContext,
  as: ActorName = 'seller',
): Promise<{ records: JsonObject[]; answer: ApiResponse }> {
  const response = await coalescedList(ctx, NEWEST_FIRST, as);
  if (!is2xx(response)) throw blockedByList(ctx, response);
  return { records: readListItems(response), answer: response };
}

/** One page of the list. Null past the last page, which a server may reject. */
async function newestPage(ctx: CheckContext, page: number, as: ActorName): Promise<ApiResponse | null> {
  const response = await coalescedList(ctx, { ...NEWEST_FIRST, page }, as);
  if (is2xx(response)) return blockUnlessHasItems(response);
  if (page > 0 && (response.status === 400 || response.status === 404)) return null;
  throw blockedByList(ctx, response);
}

function blockedByList(ctx: CheckContext, response: ApiResponse): Blocked {
  return blockedByRejection(ctx, response, 'LIST-06.created-at-desc', 'the list cannot be read');
}

/** The actor that reads invoices by default. */
export function readingActor(ctx: CheckContext): ActorName {
  return ctx.target.operations.read?.actor ?? 'seller';
}

/** Finds an invoice with the read operation where it is bound, otherwise in the list. */
export async function findInvoice(ctx: CheckContext, id: string, as?: ActorName): Promise<FoundInvoice> {
  const reader = as ?? readingActor(ctx);
  if (!ctx.target.operations.read) return await searchList(ctx, id, reader);
  const response = await readInvoice(ctx, id, { as: ctx.credentials(reader) });
  if (response.status === 404 || response.status === 410) return { record: null, response: response };
  if (!is2xx(response)) {
    throw blockedByRejection(ctx, response, 'CREATE-14.readable', `invoice ${id} cannot be read`);
  }
  const record = invoiceIn(response);
  return record && isPlainRecord(record, id) ? { record, response: response } : await searchList(ctx, id, reader);
}

/** Whether a read shows the invoice as the list does. The contract does not define the response to a read. */
function isPlainRecord(record: JsonObject, id: string): boolean {
  const plain = INVOICE_FIELDS.every((field) => !isObject(record[field]));
  return plain && String(record.id) === id && record.status !== undefined;
}

/** Finds an invoice in an actor's list, which shows all its fields. */
export async function findInList(ctx: CheckContext, id: string, as: ActorName = 'seller'): Promise<FoundInvoice> {
  return await searchList(ctx, id, as);
}

/** Reads further pages, because the run itself creates several hundred invoices. */
async function searchList(ctx: CheckContext, id: string, as: ActorName): Promise<FoundInvoice> {
  let last: ApiResponse | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await newestPage(ctx, page, as);
    if (!response && last) return { record: null, response: last };
    if (!response) break;
    const records = listItems(response);
    const record = records.find((each) => String(each.id) === id);
    if (record) return { record, response: response };
    if (records.length < NEWEST_FIRST.limit) return { record: null, response: response };
    last = response;
  }
  if (last) skipIfDatedInFuture(last);
  throw new Blocked(
    'operations.read of the target file',
    `invoice ${id} is not among the newest ${MAX_PAGES * NEWEST_FIRST.limit}`,
  );
}

/** Finds an invoice before an experiment and waits until its state is visible, because reads may lag behind. */
export async function findSettledInvoice(
  ctx: CheckContext,
  { id, state }: { id: string; state: InvoiceState },
): Promise<FoundInvoice> {
  return await waitForInvoice(ctx, id, (found) => found?.status === state);
}

/**
 * A predicate for an invoice that has left a state. A missing invoice counts only after a deletion, and an earlier
 * state comes from a stale read.
 */
export function hasLeftState(state: unknown, deleted = false): (found: JsonObject | null) => boolean {
  return (found) => (found ? found.status !== state && !isEarlierState(found.status, state) : deleted);
}

/** Whether the lifecycle table leads from one state to the other. A dispute may end in a state that led to it. */
function isEarlierState(status: unknown, state: unknown): boolean {
  const [one, other] = [status, state].map((value) => lifecycle.states.find((each) => each === value));
  return !!one && !!other && other !== 'DISPUTED' && one !== other && findActionPath(one, other) !== null;
}

/** Reads until a condition holds, or until the time for an accepted action is over (`limits.settleWithinMs`). */
export async function waitForInvoice(
  ctx: CheckContext,
  id: string,
  holds: (record: JsonObject | null) => boolean,
  withinMs?: number,
): Promise<FoundInvoice & { held: boolean }> {
  return await pollInvoice(
    ctx,
    () => findInvoice(ctx, id),
    ({ record }) => holds(record),
    withinMs,
  );
}

/**
 * Reads an actor's newest invoices: as many as the run may have created since a moment. The second read goes further
 * back, and the last one goes as far as possible, twice, because a deletion can move an invoice to a page that was
 * read already.
 */
export function recentInvoicesReader(
  ctx: CheckContext,
  as: ActorName = 'seller',
): (last?: boolean) => Promise<{ records: JsonObject[]; answer: ApiResponse }> {
  const own = ctx.run.leftovers().filter(([, { what }]) => what.startsWith('invoice')).length;
  let pages = Math.min(RECENT_PAGES, Math.ceil((own + EXPECTED_FOREIGN_INVOICES) / NEWEST_FIRST.limit));
  return async (last = false) => {
    const found = await readNewestRecords(ctx, as, last ? MAX_PAGES : pages);
    pages = RECENT_PAGES;
    if (!last || found.records.length <= RECENT_PAGES * NEWEST_FIRST.limit) return found;
    const seen = new Set(found.records.map(({ id }) => id));
    const again = await readNewestRecords(ctx, as, MAX_PAGES);
    return { ...again, records: [...found.records, ...again.records.filter(({ id }) => !seen.has(id))] };
  };
}

async function readNewestRecords(
  ctx: CheckContext,
  as: ActorName,
  pages: number,
): Promise<{ records: JsonObject[]; answer: ApiResponse }> {
  let { records, answer: response } = await newestInvoices(ctx, as);
  for (let page = 1; page < pages && records.length === page * NEWEST_FIRST.limit; page += 1) {
    const next = await newestPage(ctx, page, as);
    if (!next) break;
    response = next;
    records = [...records, ...listItems(next)];
  }
  return { records, answer: response };
}

/** Units to which a list may round times, coarsest first. */
const TIME_UNITS_MS = [60_000, 1000];

/**
 * Handles an invoice that is not among the newest of a list. Throws NotApplicable where it may be behind them, because
 * its date is not later than any of theirs.
 */
export async function skipUnlessListedFirst(
  ctx: CheckContext,
  { id, created }: { id: string; created: ApiResponse },
  shown: readonly JsonObject[],
): Promise<void> {
  const told = foundRecordIn(created)?.record.createdAt;
  const read = ctx.target.operations.read && told === undefined ? (await findInvoice(ctx, id)).record?.createdAt : told;
  const moments = shown.map(({ createdAt }) => utcEpochMs(createdAt));
  // The list may round the time to seconds or minutes where the creation shows milliseconds.
  const unit = TIME_UNITS_MS.find((each) => moments.every((moment) => moment % each === 0)) ?? 1;
  const moment = Math.floor(utcEpochMs(read) / unit) * unit;
  const behind = moments.length > 0 && moments.every((each) => each >= moment);
  if (behind) throw new NotApplicable(`${shown.length} invoices are dated no earlier than the new invoice ${id}`);
}

/** The tolerated error of a clock, in milliseconds. A later date is in the future. */
const MAX_CLOCK_SKEW_MS = 3_600_000;

/**
 * Throws NotApplicable where the last page has only invoices dated in the future, because new invoices are listed
 * behind them.
 */
function skipIfDatedInFuture(last: ApiResponse): void {
  const records = listItems(last);
  const isFuture = ({ createdAt }: JsonObject) => utcEpochMs(createdAt) > Date.now() + MAX_CLOCK_SKEW_MS;
  if (records.length < NEWEST_FIRST.limit || !records.every(isFuture)) return;
  const newer = MAX_PAGES * NEWEST_FIRST.limit;
  throw new NotApplicable(`${newer} invoices are dated in the future, so the list shows them before any new invoice`);
}

/**
 * Finds the invoice that a body created in the seller's list, once it is visible. Throws NotApplicable where all pages
 * have only invoices dated in the future.
 */
export async function findCreatedInvoice(
  ctx: CheckContext,
  body: InvoiceBody,
): Promise<FoundInvoice & { held: boolean }> {
  const once = async (last: boolean): Promise<FoundInvoice> => {
    const pages = last ? MAX_PAGES : RECENT_PAGES;
    let { records, answer: response } = await newestInvoices(ctx);
    for (let page = 1; ; page += 1) {
      const record = records.find((each) => isCreatedFrom(each, body) && !isPreexisting(ctx, each)) ?? null;
      if (record || page === pages || records.length < NEWEST_FIRST.limit) return { record, response: response };
      const next = await newestPage(ctx, page, 'seller');
      if (!next) return { record, response: response };
      response = next;
      records = listItems(next);
    }
  };
  const found = await pollInvoice(ctx, once, ({ record }) => record !== null);
  if (!found.held) skipIfDatedInFuture(found.response);
  return found;
}

export type BodyDefect = keyof InvoiceBody | null;

/** Whether a body created a record, judged by all fields that the defect of the body leaves comparable. */
export function isCreatedFrom(record: JsonObject, body: InvoiceBody, defect: BodyDefect = null): boolean {
  const pairs: [keyof InvoiceBody, unknown][] = [
    ['amount', record.amount],
    ['dueDate', record.dueDate],
    ['buyerId', record.buyerOrganizationId],
  ];
  // Without amount or date to compare, the run's mark decides, where the server shows it.
  if (defect === 'amount' || defect === 'dueDate') pairs.push(['description', record.description ?? body.description]);
  // UUIDs are compared without case; amounts and dates have no letters.
  const plain = (value: unknown) => String(value).toLowerCase();
  const alike = pairs.every(([field, found]) => field === defect || plain(found) === plain(body[field]));
  // Another run, even with the same seed, may use the same sandbox.
  return alike && (defect === 'description' || !hasOtherMark(record.description, body));
}

async function pollInvoice(
  ctx: CheckContext,
  once: (last: boolean) => Promise<FoundInvoice>,
  holds: (seen: FoundInvoice) => boolean,
  withinMs?: number,
): Promise<FoundInvoice & { held: boolean }> {
  const seen = await pollUntil(ctx, once, holds, withinMs);
  return { ...seen, held: holds(seen) };
}
