import type { InvoiceState } from '../../specs/lifecycle.ts';
import type { Lab } from '../context/check-context.ts';
import { witnessOf } from '../controls/untouched-invoices.ts';
import { leaveOver, leftOver } from '../fixtures/spare-invoices.ts';
import { settledOnTheWay } from '../idempotency/replays-per-state.ts';
import { recent } from '../invoices/find-invoice.ts';
import { type Invoice, inEachState } from '../invoices/invoices.ts';

/** An invoice in each state that the bound operations lead to, made once for all who only look at lists. */
export async function oneOfEachState(lab: Lab): Promise<{ invoices: Invoice[] }> {
  return await lab.run.once('one of each state', async () => ({ invoices: await inEachState(lab, thereAlready) }));
}

/** One that is there and that nobody touches any more, where nothing removes it. */
async function thereAlready(lab: Lab, state: InvoiceState): Promise<Invoice | null> {
  if (state === 'SETTLED') return await settledOnTheWay(lab);
  return state === 'APPROVED' ? ((await witnessInSight(lab)) ?? (await leftOverInSight(lab))) : null;
}

/** The witness was approved early in the run: many newer invoices may stand before it by now. */
async function witnessInSight(lab: Lab): Promise<Invoice | null> {
  const witness = witnessOf(lab, 'APPROVED');
  return witness && (await isInSight(lab, witness)) ? witness : null;
}

async function leftOverInSight(lab: Lab): Promise<Invoice | null> {
  const invoice = await leftOver(lab);
  if (!invoice || (await isInSight(lab, invoice))) return invoice;
  leaveOver(lab, invoice);
  return null;
}

/** What lists are looked at for is among the newest. */
async function isInSight(lab: Lab, { id }: Invoice): Promise<boolean> {
  const { records } = await recent(lab)();
  return records.some((record) => String(record.id) === id);
}
