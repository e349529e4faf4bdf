import { INVOICES_PATH, type ListOptions, listInvoices, listInvoicesAt } from '../../api/operations.ts';
import { type ApiResponse, is2xx, type JsonObject } from '../../api/responses.ts';
import { CHANGING_LIST, confirmBreach } from '../../assert/confirm-breach.ts';
import { breach, expectThat } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { skipUnlessTotalStable } from '../../assert/stable-total.ts';
import type { CheckContext } from '../../context/check.ts';
import { parsePage, readPage } from '../../invoices/list-page.ts';
import { isForeignInvoice } from '../foreign-invoices.ts';
import {
  HIDDEN_RECORD_QUERY,
  idQueries,
  organizationHeaders,
  organizationNames,
  organizationQueries,
  periodQuery,
  RELATION_QUERIES,
  SCOPE_FLAGS,
  searchQueries,
  valueQueries,
} from './undeclared-parameters.ts';

/** An actor that asks for invoices of others, with its organization. */
export interface Asker {
  name: 'seller' | 'outsider';
  own: string;
}

const MAX_DEPTH = 8;

/** All objects in a JSON value. */
function objectsIn(value: unknown, depth = 0): JsonObject[] {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return [];
  const inside = Object.values(value).flatMap((each) => objectsIn(each, depth + 1));
  return Array.isArray(value) ? inside : [value as JsonObject, ...inside];
}

/** Whether an object shows the known invoice, and not only the id or the number that the request named. */
export function showsInvoice({ json }: ApiResponse, { id, invoiceNumber }: JsonObject): boolean {
  return objectsIn(json).some((each) => each.id === id && each.invoiceNumber === invoiceNumber);
}

/** Throws a Breach if a list shows an invoice of others, as an item or inside one. */
export function expectOnlyOwn(ctx: CheckContext, response: ApiResponse, own: string): void {
  if (!is2xx(response)) return;
  const foreign = objectsIn(response.json).find((record) => isForeignInvoice(record, own));
  const because = `the list shows a foreign invoice: ${JSON.stringify(foreign)}`;
  expectThat(ctx, !foreign, response, `only invoices of organization ${own}`, because);
}

/** The page of the list that a query adds its parameters to. */
const FIRST_PAGE = 'page=0&limit=100';

/** Lists with undeclared parameters or headers, and expects only own invoices. */
export async function listWithExtras(
  ctx: CheckContext,
  { name, own }: Asker,
  extras: { query?: string; headers?: ListOptions['headers']; mayChangeRecords?: boolean },
): Promise<ApiResponse> {
  const query = extras.query ? `${FIRST_PAGE}&${extras.query}` : FIRST_PAGE;
  const options = { as: ctx.credentials(name), ...(extras.headers && { headers: extras.headers }) };
  const response = extras.mayChangeRecords
    ? await listInvoicesAt(ctx, `${INVOICES_PATH}?${query}`, options)
    : await listInvoices(ctx, query, options);
  expectOnlyOwn(ctx, response, own);
  return response;
}

/**
 * Expects a total that counts no invoice of others: at most the own total, as a filter can only reduce it. A selection by the id of
 * a foreign invoice counts none; a server that ignores the parameter counts all.
 */
export async function expectOnlyOwnCounted(
  ctx: CheckContext,
  { name }: Asker,
  response: ApiResponse,
  { ownTotal, selectsForeign = false }: { ownTotal: number; selectsForeign?: boolean },
): Promise<void> {
  if (!is2xx(response)) return;
  const { total, records } = parsePage(response);
  // An own invoice may have the same id if a server counts ids for each organization.
  const kept = selectsForeign ? [0, ownTotal, records.length].includes(total) : total <= ownTotal;
  if (kept || Number.isNaN(total) || Number.isNaN(ownTotal)) return;
  await skipIfOwnTotalChanged(ctx, name, ownTotal);
  const expected = selectsForeign
    ? `total 0, or ${ownTotal} if the parameter is ignored`
    : `a total of at most ${ownTotal}, the number of the ${name}'s own invoices`;
  throw breach(ctx, response, expected, `total is ${total}, so it counts invoices of other organizations`);
}

/** Lists with undeclared parameters or headers. Expects only own invoices, and a total that counts no others. */
async function listAndCount(
  ctx: CheckContext,
  asker: Asker,
  extras: Parameters<typeof listWithExtras>[2],
  { ownTotal, selectsForeign = false }: { ownTotal: number; selectsForeign?: boolean },
): Promise<ApiResponse> {
  return await confirmBreach(ctx, CHANGING_LIST, async ({ number }) => {
    const own = number === 1 ? ownTotal : await ownTotalOf(ctx, asker.name);
    const response = await listWithExtras(ctx, asker, extras);
    await expectOnlyOwnCounted(ctx, asker, response, { ownTotal: own, selectsForeign });
    return response;
  });
}

/** Other users may have changed the list since the first request. */
async function skipIfOwnTotalChanged(ctx: CheckContext, name: Asker['name'], ownTotal: number): Promise<void> {
  const readOwn = async () => await ownTotalOf(ctx, name);
  await skipUnlessTotalStable(ctx, readOwn);
  if ((await readOwn()) !== ownTotal) notApplicable(`the list of the ${name} changed during the check`);
}

/** The number of invoices in an actor's list; NaN if it may not list. */
export async function ownTotalOf(ctx: CheckContext, name: Asker['name']): Promise<number> {
  const response = await listInvoices(ctx, { page: 0, limit: 1 }, { as: ctx.credentials(name) });
  return is2xx(response) ? parsePage(response).total : Number.NaN;
}

/** An invoice of the seller to which the organization is not a party. Throws NotApplicable if the seller lists none. */
export async function foreignInvoiceFor(ctx: CheckContext, own: string): Promise<JsonObject> {
  const { records } = await readPage(ctx, { page: 0, limit: 100, sortBy: 'createdAt', sortOrder: 'desc' });
  const found = records.find((each) => isForeignInvoice(each, own) && typeof each.id === 'string');
  return found ?? notApplicable('the seller lists no invoice to which the third organization is not a party');
}

/** Each of two actors names the organization of the other one, in the usual forms, and expects only its own invoices. */
export async function expectOrganizationsIgnored(ctx: CheckContext): Promise<void> {
  const [seller, own] = [ctx.organizationId('seller'), ctx.organizationId('outsider')];
  const outsider: Asker = { name: 'outsider', own };
  const ownTotal = await ownTotalOf(ctx, 'outsider');
  const queries = organizationQueries({ own, seller, buyer: ctx.run.plan.organizations.buyer ?? seller });
  const extras = [...queries.map((query) => ({ query })), { headers: organizationHeaders(seller) }];
  await Promise.all(extras.map((each) => listAndCount(ctx, outsider, each, { ownTotal })));
  // A list of all own invoices may have more than the usual one.
  for (const query of SCOPE_FLAGS) await listWithExtras(ctx, outsider, { query, mayChangeRecords: true });
  const asker: Asker = { name: 'seller', own: seller };
  await listWithExtras(ctx, asker, { query: organizationNames({ own: seller, seller: own, buyer: own }) });
}

/** A third organization selects invoices of the seller by what they have, and expects to see and count none. */
export async function expectSelectionsIgnored(ctx: CheckContext): Promise<void> {
  const outsider: Asker = { name: 'outsider', own: ctx.organizationId('outsider') };
  const known = await foreignInvoiceFor(ctx, outsider.own);
  const ownTotal = await ownTotalOf(ctx, 'outsider');
  const select = async (query: string, selectsForeign = false) => {
    const response = await listAndCount(ctx, outsider, { query }, { ownTotal, selectsForeign });
    expectNotShown(ctx, response, known);
  };
  for (const query of idQueries(String(known.id))) await select(query, true);
  const { invoiceNumber } = known;
  for (const query of typeof invoiceNumber === 'string' ? searchQueries(invoiceNumber) : []) await select(query);
  for (const query of valueQueries(known)) await select(query);
  // A server may list the invoices of a limited time without a period.
  for (const query of [periodQuery(known), ...RELATION_QUERIES, HIDDEN_RECORD_QUERY])
    expectNotShown(ctx, await listWithExtras(ctx, outsider, { query, mayChangeRecords: true }), known);
  // Related records of the seller may lead to invoices between its buyers and others.
  const seller: Asker = { name: 'seller', own: ctx.organizationId('seller') };
  await listWithExtras(ctx, seller, { query: RELATION_QUERIES.join('&'), mayChangeRecords: true });
}

function expectNotShown(ctx: CheckContext, response: ApiResponse, known: JsonObject): void {
  const expected = `no invoice ${String(known.id)} of another organization`;
  const isShown = is2xx(response) && showsInvoice(response, known);
  expectThat(ctx, !isShown, response, expected, 'the list shows the invoice');
}
