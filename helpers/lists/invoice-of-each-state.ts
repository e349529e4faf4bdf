import type { InvoiceState } from '../../specs/lifecycle.ts';
import type { CheckContext } from '../context/check-context.ts';
import { untouchedInvoiceIn } from '../controls/untouched-invoices.ts';
import { addSpareInvoice, takeSpareInvoice } from '../fixtures/spare-invoices.ts';
import { settledAfterReplays } from '../idempotency/replays-per-state.ts';
import { recentInvoicesReader } from '../invoices/find-invoice.ts';
import { createInvoiceInEachState, type Invoice } from '../invoices/invoices.ts';

/** An invoice in each state that the bound operations lead to, made once for all who only look at lists. */
export async function invoicesOfEachState(lab: CheckContext): Promise<{ invoices: Invoice[] }> {
  return await lab.run.memoize('one of each state', async () => ({
    invoices: await createInvoiceInEachState(lab, existingInvoice),
  }));
}

/** One that is there and that nobody touches any more, where nothing removes it. */
async function existingInvoice(lab: CheckContext, state: InvoiceState): Promise<Invoice | null> {
  if (state === 'SETTLED') return await settledAfterReplays(lab);
  return state === 'APPROVED' ? ((await recentUntouchedInvoice(lab)) ?? (await recentSpareInvoice(lab))) : null;
}

/** The witness was approved early in the run: many newer invoices may stand before it by now. */
async function recentUntouchedInvoice(lab: CheckContext): Promise<Invoice | null> {
  const witness = untouchedInvoiceIn(lab, 'APPROVED');
  return witness && (await isAmongNewest(lab, witness)) ? witness : null;
}

async function recentSpareInvoice(lab: CheckContext): Promise<Invoice | null> {
  const invoice = await takeSpareInvoice(lab);
  if (!invoice || (await isAmongNewest(lab, invoice))) return invoice;
  addSpareInvoice(lab, invoice);
  return null;
}

/** What lists are looked at for is among the newest. */
async function isAmongNewest(lab: CheckContext, { id }: Invoice): Promise<boolean> {
  const { records } = await recentInvoicesReader(lab)();
  return records.some((record) => String(record.id) === id);
}
