import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { createInvoiceVariants } from '../adaptation/invoice-variants.ts';
import { environmentHeader } from '../api/environment-header.ts';
import { readInvoice } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { type ApiResponse, headerValue, invoiceIn, isSuccess, type JsonObject } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, checkInPhase } from '../context/check.ts';
import { DAY_MS } from '../data/due-dates.ts';
import { skipUnlessDeployed } from '../environments/production.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { nonexistentId } from '../invoices/nonexistent-id.ts';
import { isDifferentInvoice } from '../invoices/same-invoice.ts';
import { invoicesOfEachState } from '../lists/state-samples.ts';

/** Expects a read by the actor to be rejected, also with the environment header: a server may check the owner on one path only. */
export async function expectNotVisible(ctx: CheckContext, known: JsonObject, as: ActorName): Promise<void> {
  await expectReadNotFound(ctx, known, as);
  await expectReadNotFound(ctx, known, as, environmentHeader(as === 'production' ? 'PRODUCTION' : 'SANDBOX'));
}

async function expectReadNotFound(
  ctx: CheckContext,
  known: JsonObject,
  as: ActorName,
  headers: RequestOptions['headers'] = [],
): Promise<void> {
  const response = await readInvoice(ctx, String(known.id), { as: ctx.credentials(as), headers });
  // The actor may have a different invoice with the same id.
  if (isSuccess(response) && isDifferentInvoice(invoiceIn(response), known)) return;
  skipUnlessDeployed(response);
  if (response.status === 403) await blockUnlessMayRead(ctx, as);
  expectRejected(ctx, response, NOT_FOUND_STATUSES, 'INV001');
}

/** A third organization reads an invoice with the validators of the owner's response. A 304 would confirm that it exists. */
export async function expectConditionalReadNotFound(
  ctx: CheckContext,
  known: JsonObject,
  owners: ApiResponse,
): Promise<void> {
  const tag = headerValue(owners, 'etag') ?? '*';
  const later = new Date(Date.now() + DAY_MS).toUTCString();
  await expectReadNotFound(ctx, known, 'outsider', [['If-None-Match', tag]]);
  await expectReadNotFound(ctx, known, 'outsider', [['If-Modified-Since', later]]);
}

/** Throws Blocked if the key also gets 403 for a nonexistent id: it has no permission to read. */
async function blockUnlessMayRead(ctx: CheckContext, as: ActorName): Promise<void> {
  const never = await readInvoice(ctx, await nonexistentId(ctx), { as: ctx.credentials(as) });
  blockIfForbidden(never);
  ctx.run.permissions.grant(never);
}

export const NOT_FOUND_STATUSES = [404] as const;

/** The fields that identify an invoice of the kit. */
export function knownFields({ id, body: { amount, dueDate } }: Invoice): JsonObject {
  return { id, amount, dueDate };
}

/** A check that the invoice is hidden in every state. */
export function hiddenInEachStateCheck(id: CheckId, from: 'production' | 'outsider'): Check {
  return checkInPhase('late', id, ['connection', 'read', from], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    await Promise.all(invoices.map((invoice) => expectReadNotFound(ctx, knownFields(invoice), from)));
  });
}

/** A check that every variant of an invoice is hidden. */
export function hiddenVariantsCheck(id: CheckId, from: 'production' | 'outsider'): Check {
  return checkInPhase('late', id, ['connection', 'read', from], async (ctx) => {
    const { variants } = await createInvoiceVariants(ctx);
    if (variants.length === 0) notApplicable('the server accepts no invoice variant');
    await Promise.all(variants.map(({ invoice }) => expectReadNotFound(ctx, knownFields(invoice), from)));
  });
}
