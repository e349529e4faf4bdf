import { type Answer, describe, memberOf } from '../engine/answer.ts';
import { type JsonObject, listItems } from '../engine/invoice-record.ts';
import { Blocked } from '../engine/outcome.ts';
import { breach } from './expect.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';
import { type Invoice, invoiceOf } from './invoices.ts';
import type { Lab } from './lab.ts';
import { newest } from './look.ts';
import { type ListQuery, list, postInvoice } from './operations.ts';
import { persistently } from './persistently.ts';
import { pollUntil } from './poll.ts';

/** What the contract's envelope says of one page. */
export interface Page {
  answer: Answer;
  records: JsonObject[];
  total: number;
  totalPages: number;
  page: number;
  limit: number;
}

/** A page of the list. Throws Blocked when it cannot be had; the envelope itself is judged on every list of the run. */
export async function pageOf(lab: Lab, query: ListQuery): Promise<Page> {
  const answer = await list(lab, query);
  if (answer.status !== 200)
    throw new Blocked('LIST-01.items', `the list cannot be had: ${answer.request} gets ${describe(answer)}`);
  return asPage(answer);
}

/** A page far back; null where the server refuses to count so far (400): which pages it serves of a long list is not shown. */
export async function deepPageOf(lab: Lab, query: ListQuery & { page: number }): Promise<Page | null> {
  const answer = await list(lab, query);
  if (answer.status === 400 && query.page > 0) return null;
  if (answer.status !== 200)
    throw new Blocked('LIST-01.items', `the list cannot be had: ${answer.request} gets ${describe(answer)}`);
  return asPage(answer);
}

export function asPage(answer: Answer): Page {
  const number = (name: string) => Number(memberOf(answer, name));
  return {
    answer,
    records: listItems(answer),
    total: number('total'),
    totalPages: number('totalPages'),
    page: number('page'),
    limit: number('limit'),
  };
}

/** Runs an experiment about a list while the kit itself creates, changes and deletes nothing. What fails every time is a breach. */
export async function whileQuiet(lab: Lab, experiment: (tries: number) => Promise<void>): Promise<void> {
  await lab.run.invoices.quiet(() => persistently(experiment));
}

/** A quiet stretch in which lifecycle actions are performed, which may move money. */
export async function actingQuietly<T>(lab: Lab, work: () => Promise<T>): Promise<T> {
  return await lab.run.funds.shared(() => lab.run.invoices.quiet(work));
}

/** Creates invoices inside a quiet stretch. */
export async function createQuietly(lab: Lab, count: number, changes: Partial<InvoiceBody> = {}): Promise<Invoice[]> {
  const made = await Promise.all(
    Array.from({ length: count }, async () => {
      const body = { ...validBody(lab), ...changes };
      return await invoiceOf(lab, body, await postInvoice(lab, body));
    }),
  );
  // A list may lag behind the creations.
  const all = (ids: unknown[]) => made.every(({ id }) => ids.includes(id));
  await pollUntil(
    lab,
    () => newest(lab),
    ({ records }) => all(records.map(({ id }) => String(id))),
  );
  return made;
}

/** Where a walk ends that goes no further than `to`; an envelope that does not tell the number of pages is judged elsewhere. */
function lastPage({ totalPages }: Page, to: number): number {
  return Number.isNaN(totalPages) ? to : Math.min(to, totalPages);
}

/** The pages from one to before another, as far as there are any. All but the first at once: none waits for another. */
async function pagesOf(lab: Lab, query: ListQuery, from: number, to: number): Promise<Page[]> {
  const first = await pageOf(lab, { ...query, page: from });
  const end = lastPage(first, to);
  const others = Array.from({ length: Math.max(0, end - from - 1) }, (_, at) => from + 1 + at);
  return [first, ...(await Promise.all(others.map((page) => pageOf(lab, { ...query, page }))))];
}

const MOST_PAGES = 16;

/**
 * Walks the pages until every given invoice was met, and hardly further than that: the number of requests must not grow with
 * the sandbox. Throws a Breach when a record comes twice or one of the given ones never.
 */
export async function walk(
  lab: Lab,
  query: ListQuery & { limit: number },
  expected: readonly Invoice[],
): Promise<void> {
  const missing = new Set(expected.map(({ id }) => id));
  const met = new Map<string, number>();
  let last: Page | undefined;
  let from = 0;
  while (missing.size > 0 && from < (last ? lastPage(last, MOST_PAGES) : MOST_PAGES)) {
    const to = Math.min(from + Math.ceil(missing.size / query.limit), MOST_PAGES);
    for (const [at, page] of (await pagesOf(lab, query, from, to)).entries()) {
      meet(lab, page, from + at, met);
      for (const { id } of page.records) missing.delete(String(id));
      last = page;
    }
    from = to;
  }
  if (missing.size > 0 && last) {
    const because = `walking ${met.size} records, page by page with limit ${query.limit}, never met ${[...missing].join(', ')}`;
    throw breach(lab, last.answer, `each of the ${expected.length} newest invoices on one of the first pages`, because);
  }
}

/** Walks the first pages, however many records there are. Throws a Breach when a record comes twice. */
export async function expectNoRepetition(lab: Lab, query: ListQuery & { limit: number }, pages: number): Promise<void> {
  const met = new Map<string, number>();
  for (const [at, page] of (await pagesOf(lab, query, 0, pages)).entries()) meet(lab, page, at, met);
}

/** Notes the records of one page more. Throws a Breach when one was met before. */
function meet(lab: Lab, { answer, records }: Page, page: number, met: Map<string, number>): void {
  for (const { id } of records) {
    const earlier = met.get(String(id));
    if (earlier !== undefined) {
      throw breach(lab, answer, 'every record once', `invoice ${String(id)} was on page ${earlier} already`);
    }
    met.set(String(id), page);
  }
}

/** Throws a Breach unless neighbours are in order; `value` is what a record is sorted by. */
export function expectOrder(
  lab: Lab,
  page: Page,
  field: string,
  direction: 'asc' | 'desc',
  value: (record: JsonObject) => number,
): void {
  page.records.forEach((record, at) => {
    const next = page.records[at + 1];
    if (!next) return;
    const [here, there] = [value(record), value(next)];
    const kept = direction === 'desc' ? here >= there : here <= there;
    if (!kept) {
      const because = `${field} ${String(record[field])} stands before ${String(next[field])} (records ${at} and ${at + 1})`;
      throw breach(
        lab,
        page.answer,
        `records in ${direction === 'desc' ? 'descending' : 'ascending'} order of ${field}`,
        because,
      );
    }
  });
}
