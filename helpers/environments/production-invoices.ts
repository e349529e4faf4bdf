import { leftoverReason, PRODUCTION_PREFIX } from '../../engine/ledger/leftovers.ts';
import { describeResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { invoiceIn, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { isSandboxOnlyPath } from '../api/environment-header.ts';
import { NEWEST_FIRST, postInvoice, readInvoice } from '../api/operations.ts';
import { requireBinding } from '../api/requests.ts';
import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockIfForbidden } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { type InvoiceBody, isCreatedFrom, validBody } from '../data/invoice-body.ts';
import { type FoundInvoice, findInvoice } from '../invoices/find-invoice.ts';
import { ifReachable, isInvoiceState } from '../invoices/invoices.ts';
import { listProduction, skipUnlessDeployed } from './production.ts';

/** An invoice of the kit in production. It requires `allow.productionWrites` in the target file. */
export interface ProductionInvoice {
  id: string;
  body: InvoiceBody;
  state: InvoiceState;
  created: ApiResponse;
}

/** Sends a valid creation with the production key. Throws Blocked when the server rejects it. */
export async function postInProduction(ctx: CheckContext): Promise<Pick<ProductionInvoice, 'body' | 'created'>> {
  const body = validBody(ctx);
  const created = await postInvoice(ctx, body, { as: ctx.credentials('production') });
  skipUnlessDeployed(created);
  if (isSuccess(created)) return { body, created };
  const remedy = 'in production, connect the buyer to the seller and allow the key to create invoices';
  throw new Blocked(
    'actors.production of the target file',
    `the server rejects a creation with the production key: ${describeResponse(created)}; ${remedy}`,
  );
}

/** Creates an invoice in production. Throws Blocked when the server rejects it. */
export async function createProductionInvoice(ctx: CheckContext): Promise<ProductionInvoice> {
  const { body, created } = await postInProduction(ctx);
  return await productionInvoiceOf(ctx, body, created);
}

/** The control of requests that the production key must not send: it may create invoices. Throws Blocked when it may not. */
export async function blockUnlessProductionCreates(ctx: CheckContext): Promise<void> {
  await controlProductionCreation(ctx);
}

const controlProductionCreation = sharedResult((ctx) => createProductionInvoice(ctx));

/** The production invoice of an accepted creation. Throws Blocked when production does not show it. */
export async function productionInvoiceOf(
  ctx: CheckContext,
  body: InvoiceBody,
  created: ApiResponse,
): Promise<ProductionInvoice> {
  const record = await waitForProductionRecord(ctx, body, created);
  if (!record || !isInvoiceState(record.status)) {
    throw new Blocked(
      'ENV-04.production-key-decides',
      'production does not show the invoice that the production key created',
    );
  }
  const invoice = { id: String(record.id), body, state: record.status, created };
  trackProductionInvoice(ctx, invoice);
  return invoice;
}

/**
 * The production record of an accepted creation, by read if it is bound, otherwise from the list; null if production does
 * not show it in time. Throws Blocked if the key may neither read nor list.
 */
export async function waitForProductionRecord(
  ctx: CheckContext,
  body: InvoiceBody,
  created: ApiResponse,
): Promise<JsonObject | null> {
  const id = invoiceIn(created)?.id;
  if (typeof id === 'string' && ctx.target.operations.read) {
    const [read] = await ifReachable(() =>
      pollUntil(
        ctx,
        () => findInvoice(ctx, id, 'production'),
        ({ record }) => record !== null,
        'shows a production invoice',
      ),
    );
    if (read?.record) return read.record;
  }
  return await pollUntil(
    ctx,
    async () => {
      const response = await listProduction(ctx, NEWEST_FIRST);
      blockIfForbidden(response);
      return listItems(response).find((each) => isCreatedFrom(each, body)) ?? null;
    },
    (found) => found !== null,
    'lists a production invoice',
  );
}

/** Records a production invoice of the kit as a leftover. */
export function trackProductionInvoice(
  ctx: CheckContext,
  { id, state }: Pick<ProductionInvoice, 'id' | 'state'>,
): void {
  ctx.run.leftovers.recordCreated(
    `${PRODUCTION_PREFIX}${id}`,
    `${PRODUCTION_PREFIX}invoice ${state}`,
    leftoverReason(state),
  );
}

/** The production invoice of a body; null if the list does not show it to this key. */
export async function findListedInProduction(ctx: CheckContext, body: InvoiceBody): Promise<JsonObject | null> {
  return listItems(await listProduction(ctx, NEWEST_FIRST)).find((each) => isCreatedFrom(each, body)) ?? null;
}

/** The invoice as the production key reads it, once it has the state or the wait has ended. */
export async function waitForProductionState(
  ctx: CheckContext,
  id: string,
  state: InvoiceState,
): Promise<FoundInvoice> {
  return await pollUntil(
    ctx,
    () => findInvoice(ctx, id, 'production'),
    ({ record }) => record?.status === state,
    `shows ${state}`,
  );
}

/** Throws a Breach if production contains the invoice of a rejected creation, and records it as a leftover. */
export async function expectNoProductionInvoice(
  ctx: CheckContext,
  body: InvoiceBody,
  rejection: ApiResponse,
): Promise<void> {
  const found = await findListedInProduction(ctx, body);
  if (!found) return;
  if (isInvoiceState(found.status)) trackProductionInvoice(ctx, { id: String(found.id), state: found.status });
  const because = `the server returned ${rejection.status}, but production contains invoice ${String(found.id)}`;
  throw breach(ctx, rejection, 'no invoice in production after a rejected creation', because);
}

/** Whether the id cannot belong to another invoice in the actor's own environment. */
export async function isForeignId(
  ctx: CheckContext,
  action: InvoiceAction,
  id: string,
  as: ActorName,
): Promise<boolean> {
  if (isSandboxOnlyPath(requireBinding(ctx, action).path, id)) return true;
  if (!ctx.target.operations.read) return false;
  return (await readInvoice(ctx, id, { as: ctx.credentials(as) })).status === 404;
}
