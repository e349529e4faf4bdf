import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, isObject, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { listInvoices, NEWEST_FIRST, postInvoice } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockedBy } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check-context.ts';
import { validBody } from '../data/invoice-body.ts';
import { isInvoiceState, mayCreateInvoices, recordInvoiceState } from '../invoices/invoices.ts';
import { parsePage } from '../invoices/list-page.ts';

/** Why a new invoice cannot be found in its creator's list, and the check that judges that. */
export interface ListDefect {
  owner: CheckId;
  response: ApiResponse;
  expected: string;
  because: string;
}

const MAX_SEARCHED_PAGES = 10;

/**
 * The control of every look into a list: an invoice that was just created is among the newest. Null where it is, or where nothing
 * can be told. Made once in a run.
 */
export async function findListDefect(ctx: CheckContext): Promise<ListDefect | null> {
  return await ctx.run.memoize('control: list', async () => {
    const defect = mayCreateInvoices(ctx) ? await detectDefect(ctx) : null;
    if (defect) ctx.run.preconditions.markSuspected(defect.owner);
    return defect;
  });
}

/**
 * For the checks that own a defect: throws a Breach where the control has found it, and Blocked where it has found another that
 * is in the way.
 */
export async function expectNoListDefect(ctx: CheckContext, owner: CheckId): Promise<void> {
  const defect = await findListDefect(ctx);
  if (!defect) return;
  const { response, expected, because } = defect;
  if (defect.owner === owner) throw breach(ctx, response, expected, because);
  if (!INDEPENDENT_CHECKS.has(owner)) blockedBy(defect.owner, `${response.requestLine}: ${because}`);
}

/** These can tell, whatever else is wrong with a list. */
const INDEPENDENT_CHECKS: ReadonlySet<CheckId> = new Set(['LIST-06.created-at-desc', 'LIST-02.counts-creations']);

async function detectDefect(ctx: CheckContext): Promise<ListDefect | null> {
  const body = validBody(ctx);
  const created = await postInvoice(ctx, body);
  const record = isSuccess(created) ? foundRecordIn(created)?.record : undefined;
  if (typeof record?.id !== 'string') return null;
  const { id } = record;
  const made = { id, moment: utcEpochMs(record.createdAt) };
  recordInvoiceState(ctx, { id, state: isInvoiceState(record.status) ? record.status : 'DRAFT' });
  let miscounts = 0;
  let isOver = false;
  const ask = async () => {
    const found = await inspectFirstPage(ctx, made);
    const isMiscount = found !== 'unknown' && found?.owner === 'LIST-04.first-is-zero';
    miscounts = isMiscount ? miscounts + 1 : 0;
    return found;
  };
  const last = await pollUntil(ctx, ask, (found) => {
    // Newer invoices may hide it by now. Whoever looks again after the wait must not take that for a sight of it.
    if (found === 'unknown') return !isOver;
    // A list that is late may lack the invoice, but it does not count its pages differently.
    return found === null || miscounts > 1;
  });
  isOver = true;
  return last === 'unknown' ? null : last;
}

interface ListedCandidate {
  id: string;
  /** NaN where the answer does not tell. */
  moment: number;
}

/** Null where the invoice is in front; `unknown` where it may stand behind newer ones. */
async function inspectFirstPage(ctx: CheckContext, made: ListedCandidate): Promise<ListDefect | 'unknown' | null> {
  const first = await listInvoices(ctx, { ...NEWEST_FIRST, page: 0 });
  if (!is2xx(first)) return 'unknown';
  if (listsInvoice(first, made)) return await findMiscount(ctx, first);
  if (!isObject(first.json) || !Array.isArray(first.json.items)) {
    const expected = 'a list whose records stand in items';
    return { owner: 'LIST-01.items', response: first, expected, because: describeResponse(first) };
  }
  const missing = `invoice ${made.id}, created a moment ago, is not there`;
  const times = creationTimes(first);
  if (times.some((time, at) => time < (times[at + 1] ?? Number.NEGATIVE_INFINITY))) {
    const because = `${missing}, and what is there is in another order`;
    return { owner: 'LIST-06.created-at-desc', response: first, expected: 'the newest invoices first', because };
  }
  // A clock may stand still, and others may be dated in the future.
  if (times.length > 0 && times.every((time) => time >= made.moment)) return 'unknown';
  const page = await findMisplacedPage(ctx, first, made);
  if (page === 'further back') return 'unknown';
  if (page)
    return { owner: 'LIST-04.first-is-zero', response: page.answer, expected: EXPECTED_PAGING, because: page.because };
  const expected = `invoice ${made.id} in the list of the organization that created it`;
  return { owner: 'LIST-09.own-invoice-listed', response: first, expected, because: 'it is not there' };
}

/** No total is less than what a page of the same list holds. */
async function findMiscount(ctx: CheckContext, first: ApiResponse): Promise<ListDefect | null> {
  const response = await listInvoices(ctx, { page: 0, limit: 1 });
  const { length } = listItems(first);
  const { total } = parsePage(response);
  if (!is2xx(response) || !(total < length)) return null;
  // Some may have been deleted meanwhile.
  const again = listItems(await listInvoices(ctx, { ...NEWEST_FIRST, page: 0 })).length;
  if (total >= again) return null;
  const because = `it is ${total} with limit 1, while a page of 100 holds ${Math.min(length, again)}`;
  return { owner: 'LIST-02.counts-creations', response: response, expected: 'the total number of records', because };
}

const EXPECTED_PAGING = 'pages that are counted from zero, the newest invoices on page 0';

/** Where else an invoice stands: on a page that should be the second, or in front of page 0. Null where it is on none. */
async function findMisplacedPage(
  ctx: CheckContext,
  first: ApiResponse,
  made: ListedCandidate,
): Promise<{ answer: ApiResponse; because: string } | 'further back' | null> {
  const second = await listInvoices(ctx, { ...NEWEST_FIRST, page: 1 });
  const isInFront = Math.min(...creationTimes(second)) > Math.max(...creationTimes(first));
  if (listsInvoice(second, made)) {
    if (!isInFront) return 'further back';
    return { answer: second, because: `invoice ${made.id}, created a moment ago, is on page 1 and not on page 0` };
  }
  const { total } = parsePage(first);
  const last = Math.ceil(total / NEWEST_FIRST.limit) - 1;
  if (last >= 0) {
    const response = last === 0 ? first : await listInvoices(ctx, { ...NEWEST_FIRST, page: last });
    // Compared with the total of this very answer: others may have created invoices since the first page.
    const now = parsePage(response).total;
    const { length } = listItems(response);
    const [belong, onNext] = [recordsOnPage(last, now), recordsOnPage(last + 1, now)];
    const because = `page ${last} of ${now} records holds ${length}, where ${belong} belong, and invoice ${made.id} is not on page 0`;
    if (is2xx(response) && length <= onNext && onNext < belong / 2) return { answer: response, because };
  }
  for (let page = 2; page < Math.min(MAX_SEARCHED_PAGES, last + 1); page += 1) {
    if (listsInvoice(await listInvoices(ctx, { ...NEWEST_FIRST, page }), made)) return 'further back';
  }
  return null;
}

/** How many records a page holds of so many in all. */
function recordsOnPage(page: number, total: number): number {
  return Math.max(0, Math.min(NEWEST_FIRST.limit, total - page * NEWEST_FIRST.limit));
}

function listsInvoice(response: ApiResponse, { id }: ListedCandidate): boolean {
  return listItems(response).some((each) => String(each.id) === id);
}

function creationTimes(response: ApiResponse): number[] {
  return listItems(response).map(({ createdAt }: JsonObject) => utcEpochMs(createdAt));
}
