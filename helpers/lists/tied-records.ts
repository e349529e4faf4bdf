import { NEWEST_FIRST } from '../api/operations.ts';
import { createdAtMs, type JsonObject } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { readPage } from '../invoices/list-page.ts';
import { NEWEST_SORT } from './order-checks.ts';

/** Positions of records with equal values in a list. `to` is exclusive. */
interface TiedGroup {
  from: number;
  to: number;
}

const sizeOf = ({ from, to }: TiedGroup) => to - from;

/** The largest group that single records on a few pages cover, otherwise the smallest larger one. Null without a group. */
function chooseTiedGroup(values: readonly number[]): TiedGroup | null {
  const groups: TiedGroup[] = [];
  for (let from = 0; from < values.length; ) {
    let to = from + 1;
    while (to < values.length && values[to] === values[from]) to += 1;
    // The last group may continue on the next page.
    if (to - from > 1 && to < values.length) groups.push({ from, to });
    from = to;
  }
  const bySize = groups.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  return bySize.findLast((group) => sizeOf(group) <= MOST_PAGES) ?? bySize[0] ?? null;
}

const MOST_PAGES = 4;

/** Numbers of pages on which a group is walked. */
const PAGE_COUNTS = [MOST_PAGES, MOST_PAGES / 2];

/** Throws NotApplicable if all of the records have different creation times. */
function findTiedGroup(records: readonly JsonObject[]): TiedGroup {
  const group = chooseTiedGroup(records.map(createdAtMs));
  return group ?? notApplicable('no two of the newest 100 invoices share their createdAt');
}

/** Walks some of the newest invoices that share their createdAt. Expects each of them on exactly one page. */
export async function expectTiedInvoicesOnOnePage(ctx: CheckContext): Promise<void> {
  const { records } = await readPage(ctx, NEWEST_FIRST);
  const group = findTiedGroup(records);
  const tied = records.slice(group.from, group.to);
  const limits = new Set(PAGE_COUNTS.map((pages) => Math.ceil(tied.length / pages)));
  for (const limit of limits) await expectGroupOnPages(ctx, tied, group, limit);
}

async function expectGroupOnPages(
  ctx: CheckContext,
  tied: readonly JsonObject[],
  { from, to }: TiedGroup,
  limit: number,
): Promise<void> {
  const met = new Map<unknown, number>();
  const first = Math.floor(from / limit);
  const pages = Array.from({ length: Math.floor((to - 1) / limit) - first + 1 }, (_, at) => first + at);
  const expected = `each of ${tied.length} invoices with createdAt ${String(tied[0]?.createdAt)} on exactly one page with limit ${limit}`;
  const responses = await Promise.all(pages.map((page) => readPage(ctx, { ...NEWEST_SORT, page, limit })));
  for (const [at, { response, records }] of responses.entries()) {
    const page = first + at;
    for (const { id } of records) {
      const because = `page ${page} repeats invoice ${String(id)} of page ${met.get(id)}`;
      if (met.has(id)) throw breach(ctx, response, expected, because);
      met.set(id, page);
    }
  }
  const missing = tied.find(({ id }) => !met.has(id));
  const last = responses.at(-1);
  if (missing && last) {
    const because = `pages ${first} to ${pages.at(-1)} do not contain invoice ${String(missing.id)}`;
    throw breach(ctx, last.response, expected, because);
  }
}
