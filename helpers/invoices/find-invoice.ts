import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import { foundIn, INVOICE_FIELDS, invoiceIn, isObject, listItems } from '../../engine/records/find-invoice-record.ts';
import { utcMilliseconds } from '../../engine/records/iso-8601.ts';
import type { InvoiceState } from '../../specs/lifecycle.ts';
import { lifecycle, wayTo } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import { sharedLook } from '../api/coalesced-list.ts';
import { NEWEST_FIRST, readInvoice } from '../api/operations.ts';
import { isShown } from '../api/responses.ts';
import { insistOnItems, itemsOf } from '../assert/list-items.ts';
import { blockedByRefusal } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { Lab } from '../context/check-context.ts';
import { wasThereBefore } from '../context/preexisting-invoices.ts';
import { bearsOtherMark } from '../context/run-mark.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';

/** An invoice as it was found, or null where it is not to be found any more; and the answer that showed it. */
export interface Sight {
  record: JsonObject | null;
  answer: ApiResponse;
}

const MOST_PAGES = 10;

/** Other runs and people may create a hundred invoices between a creation and a look. */
const FRESH_PAGES = 3;

/** What others may have created in the meantime, as long as there is little of the run's own. */
const OF_OTHERS = 10;

/** The newest invoices of an actor's list. Throws Blocked when the list cannot be had. */
export async function newest(
  lab: Lab,
  as: ActorName = 'seller',
): Promise<{ records: JsonObject[]; answer: ApiResponse }> {
  const answer = await sharedLook(lab, NEWEST_FIRST, as);
  if (!isShown(answer)) throw unlistable(lab, answer);
  return { records: itemsOf(answer), answer };
}

/** One of the pages behind each other; null behind the last one, where a server may refuse to serve any. */
async function newestPage(lab: Lab, page: number, as: ActorName): Promise<ApiResponse | null> {
  const answer = await sharedLook(lab, { ...NEWEST_FIRST, page }, as);
  if (isShown(answer)) return insistOnItems(answer);
  if (page > 0 && (answer.status === 400 || answer.status === 404)) return null;
  throw unlistable(lab, answer);
}

function unlistable(lab: Lab, answer: ApiResponse): Blocked {
  return blockedByRefusal(lab, answer, 'LIST-06.created-at-desc', 'the list cannot be looked at');
}

/** Whose key reads invoices, unless a check asks as somebody else. */
export function readerOf(lab: Lab): ActorName {
  return lab.target.operations.read?.actor ?? 'seller';
}

/** One invoice, by the read operation where it is bound, otherwise in the list. */
export async function look(lab: Lab, id: string, as?: ActorName): Promise<Sight> {
  const reader = as ?? readerOf(lab);
  if (!lab.target.operations.read) return await lookInList(lab, id, reader);
  const answer = await readInvoice(lab, id, { as: lab.who(reader) });
  if (answer.status === 404 || answer.status === 410) return { record: null, answer };
  if (!isShown(answer)) {
    throw blockedByRefusal(lab, answer, 'CREATE-14.readable', `invoice ${id} cannot be looked at`);
  }
  const record = invoiceIn(answer);
  return record && isPlain(record, id) ? { record, answer } : await lookInList(lab, id, reader);
}

/** What an answer to reading looks like is not shown; what a list shows of an invoice is. */
function isPlain(record: JsonObject, id: string): boolean {
  const plain = INVOICE_FIELDS.every((field) => !isObject(record[field]));
  return plain && String(record.id) === id && record.status !== undefined;
}

/** One invoice as an actor's list shows it, with all its fields. */
export async function lookListed(lab: Lab, id: string, as: ActorName = 'seller'): Promise<Sight> {
  return await lookInList(lab, id, as);
}

/** The run itself creates some hundred invoices: one that is older than those on the first page is further back. */
async function lookInList(lab: Lab, id: string, as: ActorName): Promise<Sight> {
  let last: ApiResponse | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await newestPage(lab, page, as);
    if (!answer && last) return { record: null, answer: last };
    if (!answer) break;
    const records = listItems(answer);
    const record = records.find((each) => String(each.id) === id);
    if (record) return { record, answer };
    if (records.length < NEWEST_FIRST.limit) return { record: null, answer };
    last = answer;
  }
  if (last) insistOnPresent(last);
  throw new Blocked(
    'operations.read of the target file',
    `invoice ${id} is not among the newest ${MOST_PAGES * NEWEST_FIRST.limit}`,
  );
}

/** An invoice as it is before something is tried with it. What shows it may lag behind what led there. */
export async function lookSettled(lab: Lab, { id, state }: { id: string; state: InvoiceState }): Promise<Sight> {
  return await lookUntil(lab, id, (found) => found?.status === state);
}

/**
 * Whether an invoice has left a state. One that is not to be seen may not be to be seen yet, unless it was to be deleted; one in an
 * earlier state is shown by a copy of the data that is behind.
 */
export function hasLeft(state: unknown, deleted = false): (found: JsonObject | null) => boolean {
  return (found) => (found ? found.status !== state && !isEarlier(found.status, state) : deleted);
}

/** Whether the table leads from one state to the other. A dispute may end in a state that led to it. */
function isEarlier(status: unknown, state: unknown): boolean {
  const [one, other] = [status, state].map((value) => lifecycle.states.find((each) => each === value));
  return !!one && !!other && other !== 'DISPUTED' && one !== other && wayTo(one, other) !== null;
}

/** Looks until something holds, or until an accepted action had its time to show (`limits.settleWithinMs`). */
export async function lookUntil(
  lab: Lab,
  id: string,
  holds: (record: JsonObject | null) => boolean,
  withinMs?: number,
): Promise<Sight & { held: boolean }> {
  return await sight(
    lab,
    () => look(lab, id),
    ({ record }) => holds(record),
    withinMs,
  );
}

/**
 * Looks at an actor's newest invoices: as many as the run may have created since a moment ago, with the last answer. A second look goes
 * further back, since others may create invoices, too. The last look goes as far back as possible, twice: while pages are read, a
 * deletion can move an invoice from the next page to one that was read already.
 */
export function recent(
  lab: Lab,
  as: ActorName = 'seller',
): (last?: boolean) => Promise<{ records: JsonObject[]; answer: ApiResponse }> {
  const own = lab.run.leftovers().filter(([, { what }]) => what.startsWith('invoice')).length;
  let pages = Math.min(FRESH_PAGES, Math.ceil((own + OF_OTHERS) / NEWEST_FIRST.limit));
  return async (last = false) => {
    const found = await newestOf(lab, as, last ? MOST_PAGES : pages);
    pages = FRESH_PAGES;
    if (!last || found.records.length <= FRESH_PAGES * NEWEST_FIRST.limit) return found;
    const seen = new Set(found.records.map(({ id }) => id));
    const again = await newestOf(lab, as, MOST_PAGES);
    return { ...again, records: [...found.records, ...again.records.filter(({ id }) => !seen.has(id))] };
  };
}

async function newestOf(
  lab: Lab,
  as: ActorName,
  pages: number,
): Promise<{ records: JsonObject[]; answer: ApiResponse }> {
  let { records, answer } = await newest(lab, as);
  for (let page = 1; page < pages && records.length === page * NEWEST_FIRST.limit; page += 1) {
    const next = await newestPage(lab, page, as);
    if (!next) break;
    answer = next;
    records = [...records, ...listItems(next)];
  }
  return { records, answer };
}

/** Units in which a list may round the time, the coarsest first. */
const UNITS_MS = [60_000, 1000];

/**
 * What it means that an invoice is not among the newest of a list. Throws NotApplicable where it may stand behind them: dated
 * no later than any of these, by a clock that stands still or because others are dated in the future.
 */
export async function expectInFront(
  lab: Lab,
  { id, created }: { id: string; created: ApiResponse },
  shown: readonly JsonObject[],
): Promise<void> {
  const told = foundIn(created)?.record.createdAt;
  const read = lab.target.operations.read && told === undefined ? (await look(lab, id)).record?.createdAt : told;
  const moments = shown.map(({ createdAt }) => utcMilliseconds(createdAt));
  // The list may round the time to seconds or minutes where the creation was answered in milliseconds.
  const unit = UNITS_MS.find((each) => moments.every((moment) => moment % each === 0)) ?? 1;
  const moment = Math.floor(utcMilliseconds(read) / unit) * unit;
  const behind = moments.length > 0 && moments.every((each) => each >= moment);
  if (behind) throw new NotApplicable(`${shown.length} invoices are dated no earlier than invoice ${id}, just made`);
}

/** A clock may be wrong by so much; what is dated later still is of the future. */
const AHEAD_MS = 3_600_000;

/** Throws NotApplicable where the last page that is looked at is full of what is dated in the future: all that is made now stands behind it. */
function insistOnPresent(last: ApiResponse): void {
  const records = listItems(last);
  const isFuture = ({ createdAt }: JsonObject) => utcMilliseconds(createdAt) > Date.now() + AHEAD_MS;
  if (records.length < NEWEST_FIRST.limit || !records.every(isFuture)) return;
  const newer = MOST_PAGES * NEWEST_FIRST.limit;
  throw new NotApplicable(`${newer} invoices are dated in the future and stand before any that is made now`);
}

/**
 * The invoice in the seller's list that came of a body, once it shows there. The last look goes as far back as any. Throws
 * NotApplicable where all that it sees is dated in the future, and stands in front of whatever is made now.
 */
export async function findOf(lab: Lab, body: InvoiceBody): Promise<Sight & { held: boolean }> {
  const once = async (last: boolean): Promise<Sight> => {
    const pages = last ? MOST_PAGES : FRESH_PAGES;
    let { records, answer } = await newest(lab);
    for (let page = 1; ; page += 1) {
      const record = records.find((each) => isOf(each, body) && !wasThereBefore(lab, each)) ?? null;
      if (record || page === pages || records.length < NEWEST_FIRST.limit) return { record, answer };
      const next = await newestPage(lab, page, 'seller');
      if (!next) return { record, answer };
      answer = next;
      records = listItems(next);
    }
  };
  const found = await sight(lab, once, ({ record }) => record !== null);
  if (!found.held) insistOnPresent(found.answer);
  return found;
}

export type Defect = keyof InvoiceBody | null;

/** Whether a record came of a body, judged by all that the body's defect leaves to go by. */
export function isOf(record: JsonObject, body: InvoiceBody, defect: Defect = null): boolean {
  const pairs: [keyof InvoiceBody, unknown][] = [
    ['amount', record.amount],
    ['dueDate', record.dueDate],
    ['buyerId', record.buyerOrganizationId],
  ];
  // Without amount or date to go by, the run's mark has to tell, where the server shows it.
  if (defect === 'amount' || defect === 'dueDate') pairs.push(['description', record.description ?? body.description]);
  // UUIDs are the same in either case; amounts and dates have none.
  const plain = (value: unknown) => String(value).toLowerCase();
  const alike = pairs.every(([field, found]) => field === defect || plain(found) === plain(body[field]));
  // Another run, of the same seed even, may be at work in the same sandbox.
  return alike && (defect === 'description' || !bearsOtherMark(record.description, body));
}

async function sight(
  lab: Lab,
  once: (last: boolean) => Promise<Sight>,
  holds: (seen: Sight) => boolean,
  withinMs?: number,
): Promise<Sight & { held: boolean }> {
  const seen = await pollUntil(lab, once, holds, withinMs);
  return { ...seen, held: holds(seen) };
}
