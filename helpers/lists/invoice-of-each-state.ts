import type { InvoiceState } from '../../specs/lifecycle.ts';
import type { CheckContext } from '../context/check-context.ts';
import { untouchedInvoiceIn } from '../controls/untouched-invoices.ts';
import { addSpareInvoice, takeSpareInvoice } from '../fixtures/spare-invoices.ts';
import { settledAfterReplays } from '../idempotency/replays-per-state.ts';
import { recentInvoicesReader } from '../invoices/find-invoice.ts';
import { createInvoiceInEachState, type Invoice } from '../invoices/invoices.ts';

/** An invoice in each state that the bound operations lead to, made once for all who only look at lists. */
export async function invoicesOfEachState(ctx: CheckContext): Promise<{ invoices: Invoice[] }> {
  return await ctx.run.memoize('one of each state', async () => ({
    invoices: await createInvoiceInEachState(ctx, existingInvoice),
  }));
}

/** One that is there and that nobody touches any more, where nothing removes it. */
async function existingInvoice(ctx: CheckContext, state: InvoiceState): Promise<Invoice | null> {
  if (state === 'SETTLED') return await settledAfterReplays(ctx);
  return state === 'APPROVED' ? ((await recentUntouchedInvoice(ctx)) ?? (await recentSpareInvoice(ctx))) : null;
}

/** The witness was approved early in the run: many newer invoices may stand before it by now. */
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

/** What lists are looked at for is among the newest. */
async function isAmongNewest(ctx: CheckContext, { id }: Invoice): Promise<boolean> {
  const { records } = await recentInvoicesReader(ctx)();
  return records.some((record) => String(record.id) === id);
}
