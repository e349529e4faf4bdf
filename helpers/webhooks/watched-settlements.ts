import type { WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { createInvoice, type Invoice, ifReachable } from '../invoices/invoices.ts';
import { createSharedSettlement, isSpareSettlementAnnounced } from './announced-settlement.ts';
import { isAnnounced, subscribe, webhookReceiver } from './subscriptions.ts';

const SUBSCRIPTION_PATH = '/unusual-settlements';
const JUDGING_CHECK = 'HOOK-04.invoice-variants';
/** Deliveries stand in a queue behind those of all the other settlements of a run, to all the other subscriptions. */
const MIN_WAIT_MS = 5000;

/** A subscription, which was told of the settlement of a usual invoice or was not. */
export interface SettlementSubscription {
  inbox: WebhookReceiver;
  subscription: ApiResponse;
  hears: boolean;
  /** A usual invoice that is older than the subscription. */
  before: Invoice;
}

/** An invoice with all that may go with it, of a sum of more digits and without cents, made before that subscription. */
export async function invoiceBeforeSubscription(lab: CheckContext): Promise<Invoice> {
  return await lab.run.memoize('dressed before the subscription', async () => {
    const { body } = await maximalRequest(lab);
    return await createInvoice(lab, { ...body, amount: `${Math.trunc(Number(body.amount))}.00` });
  });
}

/** The subscription by which it is heard whether unusual settlements are announced, once it has heard of a usual one. Null where nobody judges that. */
export async function subscribeToSettlements(lab: CheckContext): Promise<SettlementSubscription | null> {
  if (!lab.run.plan.selected.includes(JUDGING_CHECK)) return null;
  return await lab.run.memoize('watched settlements', async () => {
    const before = await createInvoice(lab);
    await ifReachable(() => invoiceBeforeSubscription(lab));
    const inbox = await webhookReceiver(lab);
    const subscription = await subscribe(lab, { url: inbox.urlFor(SUBSCRIPTION_PATH) });
    const hears = async () =>
      (await isSpareSettlementAnnounced(lab, inbox, SUBSCRIPTION_PATH, announcementTimeoutMs(lab))) ||
      (await isSettlementAnnounced(lab, inbox, await createSharedSettlement(lab)));
    return { inbox, subscription, hears: isSuccess(subscription) && (await hears()), before };
  });
}

/** Whether a delivery to that subscription names the invoice, within the time that it may take. */
export async function isSettlementAnnounced(
  lab: CheckContext,
  inbox: WebhookReceiver,
  { id }: Invoice,
): Promise<boolean> {
  return await isAnnounced(inbox, SUBSCRIPTION_PATH, id, announcementTimeoutMs(lab));
}

export function announcementTimeoutMs(lab: CheckContext): number {
  return Math.max(MIN_WAIT_MS, lab.target.limits.settleWithinMs);
}
