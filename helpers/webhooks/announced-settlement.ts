import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver } from '../../engine/http/webhook-receiver.ts';
import type { Run } from '../../engine/run/run-context.ts';
import type { Lab } from '../context/check-context.ts';
import { leftOver } from '../fixtures/spare-invoices.ts';
import { bring, type Invoice, reach, whereReachable } from '../invoices/invoices.ts';
import { isAnnounced } from './subscriptions.ts';

/** Within so many milliseconds after the last one others may come who have subscribed, too. */
const GATHERING_MS = 250;
const LONGEST_GATHERINGS = 4;

/** A settlement that is coming, and how many ask for it. */
interface Coming {
  asked: { count: number };
  settled: Promise<Invoice>;
}

const coming = new WeakMap<Run, Coming>();

/** The next settlement of a usual invoice, one for all who ask for it at about the same time: what is settled stays behind. */
export async function nextSettlement(lab: Lab): Promise<Invoice> {
  const underWay = coming.get(lab.run);
  if (underWay) underWay.asked.count += 1;
  const next = underWay ?? settlementToCome(lab);
  const invoice = await next.settled;
  lab.shares([invoice.created]);
  return invoice;
}

function settlementToCome(lab: Lab): Coming {
  const asked = { count: 1 };
  const next = { asked, settled: gathered(asked).then(() => settledNow(lab)) };
  coming.set(lab.run, next);
  return next;
}

async function gathered(asked: Coming['asked']): Promise<void> {
  let before: number;
  let gatherings = 0;
  do {
    before = asked.count;
    await pause(GATHERING_MS);
    gatherings += 1;
  } while (before < asked.count && gatherings < LONGEST_GATHERINGS);
}

async function settledNow(lab: Lab): Promise<Invoice> {
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
