import type { CheckId } from '../../specs/generated/ids.ts';
import { listInvoices } from '../api/operations.ts';
import { type ApiResponse, is2xx, type JsonObject, listItems } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import { listGrouped } from '../assert/expectations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import { type Check, type CheckContext, checkInPhase } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { firstOutOfOrder } from '../data/text-collation.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { createInvoice, ifReachable, mayCreateInvoices } from '../invoices/invoices.ts';
import { expectOrder, parsePage } from '../invoices/list-page.ts';
import { expectNoListDefect } from './list-control.ts';
import { expectLaterPageOlder } from './page-order.ts';
import { whileUnchanged } from './snapshot.ts';

/** Late, when the sandbox has invoices with many different creation times and amounts. */
export function sortedListCheck(
  id: CheckId,
  field: string,
  direction: 'asc' | 'desc',
  by: (record: JsonObject) => number,
): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    const isDocumented = field === 'createdAt' && direction === 'desc';
    if (isDocumented) await expectNoListDefect(ctx, id);
    if (field === 'amount') await createOrderRevealingInvoices(ctx);
    const response = await listInvoices(ctx, { page: 0, limit: 100, sortBy: field, sortOrder: direction });
    ctx.observe('sort-fields', `${field} ${direction}: ${response.status}`);
    if (response.status === 400 && !isDocumented)
      notApplicable(`the server rejects sorting by ${field} ${direction}; the contract shows only createdAt desc`);
    expectThat(ctx, is2xx(response), response, 'a list', `the server returned ${response.status}`, {
      status: 'success',
    });
    expectOrder(ctx, parsePage(response), field, direction, by);
    if (isDocumented) await whileUnchanged(ctx, () => expectLaterPageOlder(ctx));
  });
}

/** The second pair is for servers that reject an amount of the first as too small or too large. */
const ORDER_REVEALING_AMOUNTS = [
  ['9.98', '100.02'],
  ['998.98', '1000.02'],
] as const;

/** Creates invoices whose amounts sort differently by value and as text, at the top of either order. */
async function createOrderRevealingInvoices(ctx: CheckContext): Promise<void> {
  if (!mayCreateInvoices(ctx)) return;
  await orderRevealingInvoices(ctx);
}

const orderRevealingInvoices = sharedResult(async (ctx) => {
  for (const sums of ORDER_REVEALING_AMOUNTS) {
    const made = await Promise.all(sums.map((amount) => ifReachable(async () => await createInvoice(ctx, { amount }))));
    if (made.every(({ length }) => length > 0)) return;
  }
});

/** For a field with few values. The contract leaves the order of the values open, but equal values must be adjacent. */
export function groupedListCheck(id: CheckId, field: 'status' | 'currency'): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    if (field === 'currency') await createMixedCurrencies(ctx);
    const response = await listInvoices(ctx, { page: 0, limit: 100, sortBy: field, sortOrder: 'desc' });
    ctx.observe('sort-fields', `${field} desc: ${response.status}`);
    if (response.status === 400)
      notApplicable(`the server rejects sorting by ${field}; the contract shows only createdAt`);
    expectThat(ctx, is2xx(response), response, 'a list', `the server returned ${response.status}`, {
      status: 'success',
    });
    expectGrouped(ctx, response, field, listItems(response));
  });
}

export function expectGrouped(
  ctx: CheckContext,
  response: ApiResponse,
  field: string,
  records: readonly JsonObject[],
): void {
  const values = records.map((record) => String(record[field]));
  const runs = values.filter((value, at) => value !== values[at - 1]);
  const because = `the values of ${field} are in the order ${runs.join(', ')}`;
  const kept = runs.length === new Set(runs).size;
  const apart = records.find((_, at) => values[at] !== values[at - 1] && values.indexOf(values[at] ?? '') < at);
  const expected = `invoices with the same ${field} next to each other`;
  expectThat(ctx, kept, response, expected, because, listGrouped(response, field, apart));
}

/** Creates the newest invoices in two alternating currencies, if the server accepts a second one. */
async function createMixedCurrencies(ctx: CheckContext): Promise<void> {
  if (!mayCreateInvoices(ctx)) return;
  await mixedCurrencies(ctx);
}

const mixedCurrencies = sharedResult(async (ctx) => {
  const other = await otherCurrency(ctx);
  for (const currency of other ? [other, undefined, other] : []) await createInvoice(ctx, currency ? { currency } : {});
});

/** For a field that holds text. The server chooses the order of letters and digits. */
export function textSortCheck(id: CheckId, field: 'id' | 'invoiceNumber', direction: 'asc' | 'desc'): Check {
  return checkInPhase('late', id, ['seller'], async (ctx) => {
    const response = await listInvoices(ctx, { page: 0, limit: 100, sortBy: field, sortOrder: direction });
    ctx.observe('sort-fields', `${field} ${direction}: ${response.status}`);
    if (response.status === 400)
      notApplicable(`the server rejects sorting by ${field} ${direction}; the contract shows only createdAt desc`);
    expectThat(ctx, is2xx(response), response, 'a list', `the server returned ${response.status}`, {
      status: 'success',
    });
    const texts = listItems(response).map((record) => String(record[field]));
    const at = firstOutOfOrder(texts, direction);
    const because =
      at === null ? '' : `${field} ${texts[at]} comes before ${texts[at + 1]} (items[${at}] and items[${at + 1}])`;
    expectThat(ctx, at === null, response, `records in ${direction} order of ${field}`, because);
  });
}

export const NEWEST_SORT = { sortBy: 'createdAt', sortOrder: 'desc' } as const;

export const SORT_ORDERS = [
  ['createdAt', 'desc'],
  ['createdAt', 'asc'],
  ['status', 'desc'],
  ['currency', 'desc'],
  ['dueDate', 'desc'],
  ['dueDate', 'asc'],
  ['amount', 'desc'],
] as const;
