import type { ActorName, OperationTemplate } from '../../specs/target-file/target.ts';
import { buildBoundRequest, type RequestOptions, requireBinding } from '../api/requests.ts';
import { type ApiResponse, invoiceIn, is2xx, type JsonObject } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { nonexistentId } from '../invoices/nonexistent-id.ts';
import { isDifferentInvoice } from '../invoices/same-invoice.ts';
import {
  idQueries,
  organizationHeaders,
  organizationNames,
  organizationQueries,
  RELATION_QUERIES,
  SCOPE_FLAGS,
} from '../lists/queries/undeclared-parameters.ts';

/** What a read has in addition to the path of the target file. `id` replaces that of the invoice. */
interface Extras {
  query?: string;
  headers?: RequestOptions['headers'];
  id?: string;
}

/** Reads an invoice with undeclared query parameters. They may change the record, so exchange rules do not apply. */
async function readWithExtras(
  ctx: CheckContext,
  id: string,
  as: ActorName,
  { query, headers }: Extras,
): Promise<ApiResponse> {
  const bound = requireBinding(ctx, 'read');
  const template: OperationTemplate = query ? { ...bound, path: withQuery(bound.path, query) } : bound;
  const options = { as: ctx.credentials(as), ...(headers && { headers }) };
  const request = buildBoundRequest(ctx, 'read', options, { id }, template);
  return await ctx.send({ ...request, skipExchangeRules: true });
}

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Expects a read with undeclared query parameters or headers not to show the known invoice. */
export async function expectNotShownWith(
  ctx: CheckContext,
  known: JsonObject,
  as: ActorName,
  extras: Extras,
): Promise<void> {
  const response = await readWithExtras(ctx, extras.id ?? String(known.id), as, extras);
  const record = is2xx(response) ? invoiceIn(response) : undefined;
  // The actor may have a different invoice with the same id.
  const isShown = record !== undefined && String(record.id) === known.id && !isDifferentInvoice(record, known);
  const expected = `404 INV001: the ${as} may not see invoice ${String(known.id)}`;
  expectThat(ctx, !isShown, response, expected, 'the response shows the invoice', { status: 'rejection' });
}

/** The queries with the names of the contract, which come first. */
const SINGLE_NAMES = 3;

/** A third organization reads an invoice with undeclared parameters and headers that name its parties. */
export async function expectReadParametersIgnored(ctx: CheckContext, known: JsonObject): Promise<void> {
  const [own, seller] = [ctx.organizationId('outsider'), ctx.organizationId('seller')];
  const parties = { own, seller, buyer: ctx.run.plan.organizations.buyer ?? seller };
  const named = organizationQueries(parties).slice(0, SINGLE_NAMES).concat(organizationNames(parties)).join('&');
  for (const query of [named, SCOPE_FLAGS.join('&'), ...RELATION_QUERIES.slice(0, 1)])
    await expectNotShownWith(ctx, known, 'outsider', { query });
  await expectNotShownWith(ctx, known, 'outsider', { headers: organizationHeaders(seller) });
  // A server may mix the parameters of the path and the query.
  const [byId = ''] = idQueries(String(known.id));
  await expectNotShownWith(ctx, known, 'outsider', { query: byId, id: await nonexistentId(ctx) });
}
