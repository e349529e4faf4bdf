import type { ApiResponse } from '../../engine/model/messages.ts';
import { type Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import {
  INVOICE_FIELDS,
  invoiceIn,
  isObject,
  type JsonObject,
  listItems,
} from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import { findActionPath, type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { coalescedList } from '../api/coalesced-list.ts';
import { NEWEST_FIRST, readInvoice } from '../api/operations.ts';
import { is2xx } from '../api/responses.ts';
import { blockedByRejection, blockUnlessHasItems, readListItems } from '../assert/not-judged.ts';
import type { EffectKind } from '../assert/poll.ts';
import { NotSeenYet, pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { isPreexisting } from '../context/invoice-history.ts';
import { type InvoiceBody, isCreatedFrom } from '../data/invoice-body.ts';

/** The record of an invoice, or null if it is not visible, with the response that showed it. */
export interface FoundInvoice {
  record: JsonObject | null;
  response: ApiResponse;
}

/** An invoice, whether it is in the expected state, and when a read first showed its status, by `performance.now()`. */
export interface SettledInvoice extends FoundInvoice {
  isMet: boolean;
  shownAtMs: number;
}

export const MAX_SEARCHED_PAGES = 10;

/** Other users may create a hundred invoices between a creation and a read. */
export const RECENT_PAGES = 3;

/** The look that reads all pages before the time is over, because an invoice further back shows no later: about 0.3 s after the first. */
const DEEP_LOOK = 5;

/** The newest invoices of an actor's list. Throws Blocked when the list cannot be read. */
export async function newestInvoices(
  ctx: CheckContext,
  as: ActorName = 'seller',
): Promise<{ records: JsonObject[]; response: ApiResponse }> {
  const response = await coalescedList(ctx, NEWEST_FIRST, as);
  if (!is2xx(response)) throw blockedByList(ctx, response);
  return { records: readListItems(response), response };
}

/** One page of the list. Null past the last page, which a server may reject. */
export async function newestPage(ctx: CheckContext, page: number, as: ActorName): Promise<ApiResponse | null> {
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

/** Finds an invoice with the read operation if it is bound, otherwise in the list. */
export async function findInvoice(ctx: CheckContext, id: string, as?: ActorName): Promise<FoundInvoice> {
  const reader = as ?? readingActor(ctx);
  if (!ctx.target.operations.read) return await searchList(ctx, id, reader);
  const response = await readInvoice(ctx, id, { as: ctx.credentials(reader) });
  if (response.status === 404 || response.status === 410) return { record: null, response };
  if (!is2xx(response)) {
    throw blockedByRejection(ctx, response, 'CREATE-14.readable', `invoice ${id} cannot be read`);
  }
  const record = invoiceIn(response);
  return record && isPlainRecord(record, id) ? { record, response } : await searchList(ctx, id, reader);
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
  for (let page = 0; page < MAX_SEARCHED_PAGES; page += 1) {
    const response = await newestPage(ctx, page, as);
    if (!response && last) return { record: null, response: last };
    if (!response) break;
    const records = listItems(response);
    const record = records.find((each) => String(each.id) === id);
    if (record) return { record, response };
    if (records.length < NEWEST_FIRST.limit) return { record: null, response };
    last = response;
  }
  if (last) skipIfDatedInFuture(last);
  const newest = `an invoice is not among the newest ${MAX_SEARCHED_PAGES * NEWEST_FIRST.limit} of the list`;
  if (ctx.target.operations.read)
    throw new NotSeenYet(
      'limits.settleWithinMs of the target file',
      `${newest}; increase limits.settleWithinMs if the list shows a new invoice later`,
    );
  throw new NotSeenYet(
    'operations.read of the target file',
    `${newest}, so it can only be found with a working operations.read`,
  );
}

/**
 * Waits until the state of an invoice is visible, because reads may lag behind. A state that was missing before in this run is awaited
 * less long.
 */
export async function findSettledInvoice(
  ctx: CheckContext,
  { id, state }: { id: string; state: InvoiceState },
): Promise<SettledInvoice> {
  let shown: { status: unknown; at: number } | undefined;
  const found = await waitForEffect(ctx, id, shownStateKind(state), (record) => {
    if (!shown || shown.status !== record?.status) shown = { status: record?.status, at: performance.now() };
    return record?.status === state;
  });
  return { ...found, shownAtMs: shown?.at ?? performance.now() };
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

/** Whether an invoice is in a state or in a later one, because one action may do the work of several. */
export function hasReached(status: unknown, state: InvoiceState | undefined): status is InvoiceState {
  return status !== undefined && (status === state || isEarlierState(state, status));
}

/** Reads until a condition holds, for less long if a change of this kind was missing before in this run. */
async function waitForEffect(
  ctx: CheckContext,
  id: string,
  kind: EffectKind,
  holds: (record: JsonObject | null) => boolean,
): Promise<FoundInvoice & { isMet: boolean }> {
  return await waitForInvoice(ctx, id, holds, kind);
}

/** The kind of the change, for `pollUntil`. */
const shownStateKind = (state: InvoiceState | undefined): EffectKind => `shows ${state ?? 'no more'}`;

/** The effect of an action on the state of an invoice. */
interface AwaitedEffect {
  from: InvoiceState;
  by: InvoiceAction;
  /** Whether the invoice may also disappear. */
  mayBeGone?: boolean;
}

/**
 * Reads until an invoice has left a state because of an action; see `hasLeftState`. An effect that was missing before in this run is
 * awaited less long.
 */
export async function waitUntilLeft(
  ctx: CheckContext,
  id: string,
  { from, by, mayBeGone = false }: AwaitedEffect,
): Promise<FoundInvoice & { isMet: boolean }> {
  return await waitForEffect(ctx, id, `leaves ${from} by ${by}`, hasLeftState(from, mayBeGone));
}

/** Reads until a condition holds or the time is over, as `pollUntil`. */
export async function waitForInvoice(
  ctx: CheckContext,
  id: string,
  holds: (record: JsonObject | null) => boolean,
  limit: EffectKind | number,
): Promise<FoundInvoice & { isMet: boolean }> {
  return await pollInvoice(
    ctx,
    () => findInvoice(ctx, id),
    ({ record }) => holds(record),
    limit,
  );
}

/**
 * Waits for the state to which an accepted action leads; undefined after a deletion. Stops at a state from which the lifecycle table
 * does not lead there.
 */
export async function waitForArrival(
  ctx: CheckContext,
  id: string,
  to: InvoiceState | undefined,
): Promise<FoundInvoice & { isMet: boolean }> {
  const isOver = (found: JsonObject | null) => found?.status === to || cannotReach(found?.status, to);
  const seen = await waitForEffect(ctx, id, shownStateKind(to), isOver);
  return { ...seen, isMet: seen.record?.status === to };
}

/** A stale read shows an earlier state, so it does not count. The table does not say to which states a resolution leads. */
function cannotReach(status: unknown, to: InvoiceState | undefined): boolean {
  const state = lifecycle.states.find((each) => each === status);
  if (to === undefined || state === undefined || state === 'DISPUTED') return false;
  return findActionPath(state, to) === null;
}

/** The tolerated error of a clock, in milliseconds. A later date is in the future. */
const MAX_CLOCK_SKEW_MS = 3_600_000;

/**
 * Throws NotApplicable if the last page has only invoices dated in the future, because new invoices are listed
 * behind them.
 */
function skipIfDatedInFuture(last: ApiResponse): void {
  const records = listItems(last);
  const isFuture = ({ createdAt }: JsonObject) => utcEpochMs(createdAt) > Date.now() + MAX_CLOCK_SKEW_MS;
  if (records.length < NEWEST_FIRST.limit || !records.every(isFuture)) return;
  const newer = MAX_SEARCHED_PAGES * NEWEST_FIRST.limit;
  throw new NotApplicable(`${newer} invoices are dated in the future, so the list shows them before any new invoice`);
}

/**
 * Finds the invoice that a body created in the seller's list, once it is visible. Throws NotApplicable if all pages
 * have only invoices dated in the future.
 */
export async function findCreatedInvoice(
  ctx: CheckContext,
  body: InvoiceBody,
): Promise<FoundInvoice & { isMet: boolean }> {
  let looks = 0;
  const once = async (last: boolean): Promise<FoundInvoice> => {
    looks += 1;
    const pages = last || looks === DEEP_LOOK ? MAX_SEARCHED_PAGES : RECENT_PAGES;
    return await searchNewest(ctx, pages, (record) => isCreatedFrom(record, body));
  };
  const found = await pollInvoice(ctx, once, ({ record }) => record !== null, 'lists a new invoice');
  if (!found.isMet) skipIfDatedInFuture(found.response);
  return found;
}

/** Looks for an invoice of this run on the newest pages of the seller's list. */
export async function searchNewest(
  ctx: CheckContext,
  pages: number,
  isWanted: (record: JsonObject) => boolean,
): Promise<FoundInvoice> {
  let { records, response } = await newestInvoices(ctx);
  for (let page = 1; ; page += 1) {
    const record = records.find((each) => isWanted(each) && !isPreexisting(ctx, each)) ?? null;
    if (record || page === pages || records.length < NEWEST_FIRST.limit) return { record, response };
    const next = await newestPage(ctx, page, 'seller');
    if (!next) return { record, response };
    response = next;
    records = listItems(next);
  }
}

async function pollInvoice(
  ctx: CheckContext,
  once: (last: boolean) => Promise<FoundInvoice>,
  holds: (seen: FoundInvoice) => boolean,
  limit: EffectKind | number,
): Promise<FoundInvoice & { isMet: boolean }> {
  const seen = await pollUntil(ctx, once, holds, limit);
  return { ...seen, isMet: holds(seen) };
}
