import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, isObject, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { listInvoices, NEWEST_FIRST, postInvoice } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockedBy } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { validBody } from '../data/invoice-body.ts';
import { isInvoiceState, mayCreateInvoices, recordInvoiceState } from '../invoices/invoices.ts';
import { parsePage } from '../invoices/list-page.ts';

/** Why the list of the creator does not show a new invoice, and the check that judges it. */
export interface ListDefect {
  owner: CheckId;
  response: ApiResponse;
  expected: string;
  because: string;
}

const MAX_SEARCHED_PAGES = 10;

/**
 * The control of every list check, once per run: a new invoice is among the newest records. Null if it is, or if this
 * cannot be determined.
 */
export const findListDefect = sharedResult(async (ctx): Promise<ListDefect | null> => {
  const defect = mayCreateInvoices(ctx) ? await detectDefect(ctx) : null;
  if (defect) ctx.run.preconditions.markSuspected(defect.owner);
  return defect;
});

/**
 * For the checks that own a defect: throws a Breach if the control found it, and Blocked if another defect prevents the
 * check.
 */
export async function expectNoListDefect(ctx: CheckContext, owner: CheckId): Promise<void> {
  const defect = await findListDefect(ctx);
  if (!defect) return;
  const { response, expected, because } = defect;
  if (defect.owner === owner) throw breach(ctx, response, expected, because);
  blockUnlessIndependent(defect, owner);
}

function blockUnlessIndependent({ owner, response, because }: ListDefect, check: CheckId): void {
  if (!INDEPENDENT_CHECKS.has(check)) blockedBy(owner, `${response.requestLine}: ${because}`);
}

/** Checks that work in spite of other list defects. */
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
  const request = async () => {
    const found = await inspectFirstPage(ctx, made);
    const isMiscount = found !== 'unknown' && found?.owner === 'LIST-04.first-is-zero';
    miscounts = isMiscount ? miscounts + 1 : 0;
    return found;
  };
  const last = await pollUntil(
    ctx,
    request,
    (found) => {
      // Newer invoices may hide it by now. After the wait, `unknown` must not count as found.
      if (found === 'unknown') return !isOver;
      // A late list may not show the invoice, but it still numbers its pages correctly.
      return found === null || miscounts > 1;
    },
    'lists the invoice of the control',
  );
  isOver = true;
  return last === 'unknown' ? null : last;
}

interface ListedCandidate {
  id: string;
  /** The creation time in milliseconds since the epoch; NaN if the response does not show it. */
  moment: number;
}

/** Null if the first page shows the invoice; `unknown` if newer invoices may hide it. */
async function inspectFirstPage(ctx: CheckContext, made: ListedCandidate): Promise<ListDefect | 'unknown' | null> {
  const first = await listInvoices(ctx, { ...NEWEST_FIRST, page: 0 });
  if (!is2xx(first)) return 'unknown';
  if (listsInvoice(first, made)) return await findMiscount(ctx, first);
  if (!isObject(first.json) || !Array.isArray(first.json.items)) {
    const expected = 'a list with its records in items';
    return { owner: 'LIST-01.items', response: first, expected, because: describeResponse(first) };
  }
  const missing = `the new invoice ${made.id} is not on page 0`;
  const times = creationTimes(first);
  if (times.some((time, at) => time < (times[at + 1] ?? Number.NEGATIVE_INFINITY))) {
    const because = `${missing}, and the records on page 0 are not in the requested order`;
    return { owner: 'LIST-06.created-at-desc', response: first, expected: 'the newest invoices first', because };
  }
  // The server clock may stand still, and foreign invoices may be dated in the future.
  if (times.length > 0 && times.every((time) => time >= made.moment)) return 'unknown';
  const page = await findMisplacedPage(ctx, first, made);
  if (page === 'further back') return 'unknown';
  if (page)
    return {
      owner: 'LIST-04.first-is-zero',
      response: page.response,
      expected: EXPECTED_PAGING,
      because: page.because,
    };
  const expected = `invoice ${made.id} in the list of the organization that created it`;
  return {
    owner: 'LIST-09.own-invoice-listed',
    response: first,
    expected,
    because: 'the list does not contain the invoice',
  };
}

/** Finds a total that is lower than the number of records on one page. */
async function findMiscount(ctx: CheckContext, first: ApiResponse): Promise<ListDefect | null> {
  const response = await listInvoices(ctx, { page: 0, limit: 1 });
  const { length } = listItems(first);
  const { total } = parsePage(response);
  if (!is2xx(response) || !(total < length)) return null;
  // Invoices may have been deleted since the first request.
  const again = listItems(await listInvoices(ctx, { ...NEWEST_FIRST, page: 0 })).length;
  if (total >= again) return null;
  const because = `total is ${total} with limit 1, but a page with limit 100 holds ${Math.min(length, again)} records`;
  return { owner: 'LIST-02.counts-creations', response, expected: 'the total number of records', because };
}

const EXPECTED_PAGING = 'pages counted from zero, with the newest invoices on page 0';

/**
 * A page that shows a wrong page index: the invoice is on page 1 or before page 0. `further back` if newer invoices hide it,
 * null if no page shows it.
 */
async function findMisplacedPage(
  ctx: CheckContext,
  first: ApiResponse,
  made: ListedCandidate,
): Promise<{ response: ApiResponse; because: string } | 'further back' | null> {
  const second = await listInvoices(ctx, { ...NEWEST_FIRST, page: 1 });
  const isInFront = Math.min(...creationTimes(second)) > Math.max(...creationTimes(first));
  if (listsInvoice(second, made)) {
    if (!isInFront) return 'further back';
    return { response: second, because: `the new invoice ${made.id} is on page 1 and not on page 0` };
  }
  const { total } = parsePage(first);
  const last = Math.ceil(total / NEWEST_FIRST.limit) - 1;
  if (last >= 0) {
    const response = last === 0 ? first : await listInvoices(ctx, { ...NEWEST_FIRST, page: last });
    // Uses the total of this response, because foreign invoices may have been created since the first page.
    const now = parsePage(response).total;
    const { length } = listItems(response);
    const [belong, onNext] = [recordsOnPage(last, now), recordsOnPage(last + 1, now)];
    const because = `page ${last} holds ${length} records instead of ${belong} with total ${now}, and invoice ${made.id} is not on page 0`;
    if (is2xx(response) && length <= onNext && onNext < belong / 2) return { response, because };
  }
  for (let page = 2; page < Math.min(MAX_SEARCHED_PAGES, last + 1); page += 1) {
    if (listsInvoice(await listInvoices(ctx, { ...NEWEST_FIRST, page }), made)) return 'further back';
  }
  return null;
}

/** The number of records on a page, given the total. */
function recordsOnPage(page: number, total: number): number {
  return Math.max(0, Math.min(NEWEST_FIRST.limit, total - page * NEWEST_FIRST.limit));
}

function listsInvoice(response: ApiResponse, { id }: ListedCandidate): boolean {
  return listItems(response).some((each) => String(each.id) === id);
}

function creationTimes(response: ApiResponse): number[] {
  return listItems(response).map(({ createdAt }: JsonObject) => utcEpochMs(createdAt));
}
