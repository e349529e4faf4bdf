import type { Run } from '../engine/run.ts';
import { type Invoice, reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { lookSettled } from './look.ts';

/** Approved invoices that checks are done with. */
interface Spares {
  invoices: Invoice[];
  /** One was not where it had been left: each takes an invoice of its own from then on. */
  closed: boolean;
}

const sparesOf = new WeakMap<Run, Spares>();

function spares(run: Run): Spares {
  const known = sparesOf.get(run) ?? { invoices: [], closed: false };
  sparesOf.set(run, known);
  return known;
}

/** Leaves an APPROVED invoice to whoever settles one: it stays behind in any case. Only where nothing odd was seen of it. */
export function leaveOver({ run }: Lab, invoice: Invoice): void {
  if (invoice.state === 'APPROVED') spares(run).invoices.push({ ...invoice });
}

/** From now on nothing is taken that was left over: something odd was seen. */
export function keepNoSpares({ run }: Lab): void {
  spares(run).closed = true;
}

/** An APPROVED invoice to be settled: one that another check has left over, otherwise a new one. */
export async function toBeSettled(lab: Lab): Promise<Invoice> {
  return (await leftOver(lab)) ?? (await reach(lab, 'APPROVED'));
}

/** An APPROVED invoice that another check has left over; null where there is none. */
export async function leftOver(lab: Lab): Promise<Invoice | null> {
  const { invoices, closed } = spares(lab.run);
  // Who has asked for quiet wants nothing that others have touched.
  const invoice = closed || lab.run.isWithin(lab.asking.id) ? undefined : invoices.shift();
  if (!invoice) return null;
  const [seen] = await whereReachable(() => lookSettled(lab, invoice));
  if (seen?.record?.status !== 'APPROVED') keepNoSpares(lab);
  if (seen?.record?.status !== 'APPROVED') return null;
  lab.shares([invoice.created]);
  return invoice;
}
