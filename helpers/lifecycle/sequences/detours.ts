import type { Credentials } from '../../api/invalid-credentials.ts';
import { type ApiResponse, isSuccess } from '../../api/responses.ts';
import { type Detour, sendByDetour } from '../../api/undeclared-paths.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check.ts';
import { skipIfChangesSpontaneously } from '../../controls/spontaneous-change.ts';
import { skipIfVariantChanges } from '../../controls/variant-spontaneous-change.ts';
import { findSettledInvoice } from '../../invoices/find-invoice.ts';
import type { Invoice } from '../../invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../unchanged-invoices.ts';

/** Submits an invoice by detours with credentials that must not do it. Throws a Breach if one of them changes the invoice. */
export async function expectNoEffectByDetours(
  ctx: CheckContext,
  invoice: Invoice,
  as: Credentials,
  detours: readonly Detour[],
): Promise<void> {
  const { record: before } = await findSettledInvoice(ctx, invoice);
  let last: ApiResponse | undefined;
  for (const detour of detours) {
    const response = await sendByDetour(ctx, 'submit', invoice.id, as, detour);
    if (response === null) continue;
    last = response;
    // Read at once, so that the message names the request that had the effect.
    if (isSuccess(response)) await expectNoEffect(ctx, invoice, response);
  }
  await expectInvoiceUnchanged(ctx, invoice, before, last);
}

async function expectNoEffect(ctx: CheckContext, invoice: Invoice, detour: ApiResponse): Promise<void> {
  const { record, response } = await findSettledInvoice(ctx, invoice);
  if (record?.status === invoice.state) return;
  await skipIfChangesSpontaneously(ctx, [invoice.state], ctx.target.limits.settleWithinMs);
  await skipIfVariantChanges(ctx, invoice);
  const because = `the request changed the invoice from ${invoice.state} to ${String(record?.status ?? 'gone')}`;
  const expected = `no change of invoice ${invoice.id} by ${detour.request.actorLabel}`;
  throw breach(ctx, detour, expected, because, [response]);
}
