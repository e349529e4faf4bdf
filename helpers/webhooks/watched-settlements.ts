import type { Receiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { dressed } from '../adaptation/maximal-request.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { freshInvoice, type Invoice, whereReachable } from '../invoices/invoices.ts';
import { isHeardOfLeftOver, nextSettlement } from './announced-settlement.ts';
import { isAnnounced, receiver, subscribe } from './subscriptions.ts';

const PATH = '/unusual-settlements';
const JUDGE = 'HOOK-04.invoice-variants';
/** Deliveries stand in a queue behind those of all the other settlements of a run, to all the other subscriptions. */
const LEAST_WAIT_MS = 5000;

/** A subscription, which was told of the settlement of a usual invoice or was not. */
export interface Watch {
  inbox: Receiver;
  subscription: ApiResponse;
  hears: boolean;
  /** A usual invoice that is older than the subscription. */
  before: Invoice;
}

/** An invoice with all that may go with it, of a sum of more digits and without cents, made before that subscription. */
export async function thereBefore(lab: Lab): Promise<Invoice> {
  return await lab.run.once('dressed before the subscription', async () => {
    const { body } = await dressed(lab);
    return await freshInvoice(lab, { ...body, amount: `${Math.trunc(Number(body.amount))}.00` });
  });
}

/** The subscription by which it is heard whether unusual settlements are announced, once it has heard of a usual one. Null where nobody judges that. */
export async function watchedSettlements(lab: Lab): Promise<Watch | null> {
  if (!lab.run.plan.selected.includes(JUDGE)) return null;
  return await lab.run.once('watched settlements', async () => {
    const before = await freshInvoice(lab);
    await whereReachable(() => thereBefore(lab));
    const inbox = await receiver(lab);
    const subscription = await subscribe(lab, { url: inbox.urlFor(PATH) });
    const hears = async () =>
      (await isHeardOfLeftOver(lab, inbox, PATH, announcedWithinMs(lab))) ||
      (await isHeardOf(lab, inbox, await nextSettlement(lab)));
    return { inbox, subscription, hears: isSuccess(subscription) && (await hears()), before };
  });
}

/** Whether a delivery to that subscription names the invoice, within the time that it may take. */
export async function isHeardOf(lab: Lab, inbox: Receiver, { id }: Invoice): Promise<boolean> {
  return await isAnnounced(inbox, PATH, id, announcedWithinMs(lab));
}

export function announcedWithinMs(lab: Lab): number {
  return Math.max(LEAST_WAIT_MS, lab.target.limits.settleWithinMs);
}
