import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { untouchedInvoiceIn } from '../controls/untouched-group.ts';
import { addSpareInvoice, takeSpareInvoice } from '../fixtures/spare-invoices.ts';
import { settledAfterReplays } from '../idempotency/state-replays.ts';
import { createInvoiceInEachState, type Invoice } from '../invoices/invoices.ts';
import { recentInvoicesReader } from '../invoices/recent-invoices.ts';

/** List checks read 300 invoices; the last phase of a run creates about a hundred. */
const MAX_NEWER_INVOICES = 150;

/** One invoice in each reachable state, created once for all checks that only read lists. */
export const invoicesOfEachState = sharedResult(async (ctx): Promise<{ invoices: Invoice[] }> => {
  return { invoices: await createInvoiceInEachState(ctx, existingInvoice) };
});

/** An existing invoice in a state that cannot be removed, so that the run creates fewer leftovers. */
async function existingInvoice(ctx: CheckContext, state: InvoiceState): Promise<Invoice | null> {
  if (state === 'SETTLED') {
    const settled = await settledAfterReplays(ctx);
    return settled && (await isAmongNewest(ctx, settled)) ? settled : null;
  }
  return state === 'APPROVED' ? ((await recentUntouchedInvoice(ctx)) ?? (await recentSpareInvoice(ctx))) : null;
}

/** The control invoice was approved early in the run, so newer invoices may hide it. */
async function recentUntouchedInvoice(ctx: CheckContext): Promise<Invoice | null> {
  const witness = untouchedInvoiceIn(ctx, 'APPROVED');
  return witness && (await isAmongNewest(ctx, witness)) ? witness : null;
}

async function recentSpareInvoice(ctx: CheckContext): Promise<Invoice | null> {
  const invoice = await takeSpareInvoice(ctx);
  if (!invoice || (await isAmongNewest(ctx, invoice))) return invoice;
  addSpareInvoice(ctx, invoice);
  return null;
}

/** List checks inspect only the newest invoices, and the run will create more until then. */
async function isAmongNewest(ctx: CheckContext, { id }: Invoice): Promise<boolean> {
  const { records } = await recentInvoicesReader(ctx)();
  return records.slice(0, MAX_NEWER_INVOICES).some((record) => String(record.id) === id);
}
