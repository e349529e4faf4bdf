import { describeResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { invoiceIn, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import { isSandboxOnlyPath } from '../api/environment-header.ts';
import { NEWEST_FIRST, postInvoice, readInvoice, requireBinding } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockIfForbidden } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check-context.ts';
import { leftoverReason, PRODUCTION_PREFIX } from '../context/leftover-reason.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { type FoundInvoice, findInvoice, isCreatedFrom } from '../invoices/find-invoice.ts';
import { ifReachable, isInvoiceState } from '../invoices/invoices.ts';
import { listProduction, skipUnlessDeployed } from './production.ts';

/** An invoice that the kit has created in production. Only a target file with `allow.productionWrites` lets it. */
export interface ProductionInvoice {
  id: string;
  body: InvoiceBody;
  state: InvoiceState;
  created: ApiResponse;
}

/** A valid creation with the production key that was accepted. Throws Blocked when the server does not accept it. */
export async function postInProduction(ctx: CheckContext): Promise<Pick<ProductionInvoice, 'body' | 'created'>> {
  const body = validBody(ctx);
  const created = await postInvoice(ctx, body, { as: ctx.credentials('production') });
  skipUnlessDeployed(created);
  if (isSuccess(created)) return { body, created };
  const remedy = 'in production, connect the buyer to the seller and let the key create invoices';
  throw new Blocked(
    'actors.production of the target file',
    `its key creates no invoice: ${describeResponse(created)}; ${remedy}`,
  );
}

/** Creates an invoice in production. Throws Blocked when the server does not accept it. */
export async function createProductionInvoice(ctx: CheckContext): Promise<ProductionInvoice> {
  const { body, created } = await postInProduction(ctx);
  return await productionInvoiceOf(ctx, body, created);
}

/** The control of what is refused to the production key: it may create invoices in this run. Throws Blocked when it may not. */
export async function blockUnlessProductionCreates(ctx: CheckContext): Promise<void> {
  await ctx.run.memoize('control: create in production', () => createProductionInvoice(ctx));
}

/** The invoice that an accepted creation with the production key has made. Throws Blocked when production does not show it. */
export async function productionInvoiceOf(
  ctx: CheckContext,
  body: InvoiceBody,
  created: ApiResponse,
): Promise<ProductionInvoice> {
  const record = await waitForProductionRecord(ctx, body, created);
  if (!record || !isInvoiceState(record.status)) {
    throw new Blocked('ENV-04.production-key-decides', 'production does not show the invoice that its key has created');
  }
  const invoice = { id: String(record.id), body, state: record.status, created };
  trackProductionInvoice(ctx, invoice);
  return invoice;
}

/**
 * What production shows of an accepted creation, read by its id where that is bound, otherwise in the list; null where it shows
 * nothing in the time that it has. Throws Blocked where its key may neither read nor list.
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
  );
}

/** Notes in which state a production invoice of the kit's stays behind. */
export function trackProductionInvoice(
  ctx: CheckContext,
  { id, state }: Pick<ProductionInvoice, 'id' | 'state'>,
): void {
  ctx.run.recordCreated(`${PRODUCTION_PREFIX}${id}`, `${PRODUCTION_PREFIX}invoice ${state}`, leftoverReason(state));
}

/** The production invoice that came of a body; null where the list does not show it, or is not shown to this key. */
export async function findListedInProduction(ctx: CheckContext, body: InvoiceBody): Promise<JsonObject | null> {
  return listItems(await listProduction(ctx, NEWEST_FIRST)).find((each) => isCreatedFrom(each, body)) ?? null;
}

/** One invoice as the production key sees it, once it is in this state or had its time to be. */
export async function waitForProductionState(
  ctx: CheckContext,
  id: string,
  state: InvoiceState,
): Promise<FoundInvoice> {
  return await pollUntil(
    ctx,
    () => findInvoice(ctx, id, 'production'),
    ({ record }) => record?.status === state,
  );
}

/** Throws a Breach where production holds an invoice that came of a refused creation; what it holds is noted as left behind. */
export async function expectNoProductionInvoice(
  ctx: CheckContext,
  body: InvoiceBody,
  refusal: ApiResponse,
): Promise<void> {
  const found = await findListedInProduction(ctx, body);
  if (!found) return;
  if (isInvoiceState(found.status)) trackProductionInvoice(ctx, { id: String(found.id), state: found.status });
  const because = `answered with ${refusal.status}, and yet production holds invoice ${String(found.id)}`;
  throw breach(ctx, refusal, 'no invoice in production after a refused creation', because);
}

/** Whether an action on this id, asked for as that actor, cannot concern another invoice of the actor's own environment. */
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
