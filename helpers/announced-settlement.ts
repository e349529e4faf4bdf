import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver } from '../engine/receiver.ts';
import type { Run } from '../engine/run.ts';
import { bring, type Invoice, reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { leftOver } from './spare-invoices.ts';
import { isAnnounced } from './subscriptions.ts';

/** Within so many milliseconds others may come who have subscribed, too. */
const GATHERING_MS = 250;

const coming = new WeakMap<Run, Promise<Invoice>>();

/** The next settlement of a usual invoice, one for all who ask for it at about the same time: what is settled stays behind. */
export async function nextSettlement(lab: Lab): Promise<Invoice> {
  const { run } = lab;
  const next = coming.get(run) ?? settledSoon(lab);
  coming.set(run, next);
  const invoice = await next;
  lab.shares([invoice.created]);
  return invoice;
}

async function settledSoon(lab: Lab): Promise<Invoice> {
  await pause(GATHERING_MS);
  // Whoever subscribes from now on may miss it.
  coming.delete(lab.run);
  return await reach(lab, 'SETTLED');
}

/** Whether a further settlement is heard of, that of an invoice that was left over. One that is older than the subscription is judged elsewhere. */
export async function isHeardOfLeftOver(lab: Lab, inbox: Receiver, path: string, withinMs: number): Promise<boolean> {
  const invoice = await leftOver(lab);
  const [settled] = invoice ? await whereReachable(() => bring(lab, invoice, 'SETTLED')) : [];
  return settled !== undefined && (await isAnnounced(inbox, path, settled.id, withinMs));
}
