import type { WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { createInvoice, type Invoice, ifReachable } from '../invoices/invoices.ts';
import { createSharedSettlement, isSpareSettlementAnnounced } from './announced-settlement.ts';
import { announcementTimeoutMs, isAnnounced, subscribe, webhookReceiver } from './subscriptions.ts';

export const SUBSCRIPTION_PATH = '/unusual-settlements';
const JUDGING_CHECK = 'HOOK-04.invoice-variants';

/** A subscription to the settlements of variants. */
export interface SettlementSubscription {
  inbox: WebhookReceiver;
  subscription: ApiResponse;
  /** Whether it received the settlement of an ordinary invoice. */
  isDelivered: boolean;
  /** An ordinary invoice that is older than the subscription. */
  before: Invoice;
}

/** An invoice with all optional fields and a larger amount without cents, created before the subscription. */
export const invoiceBeforeSubscription = sharedResult(async (ctx): Promise<Invoice> => {
  const { body } = await maximalRequest(ctx);
  return await createInvoice(ctx, { ...body, amount: `${Math.trunc(Number(body.amount))}.00` });
});

/**
 * The subscription that receives the settlements of variants, with the settlement of an ordinary invoice as control. Null if
 * the judging check is not selected.
 */
export async function subscribeToSettlements(ctx: CheckContext): Promise<SettlementSubscription | null> {
  if (!ctx.run.plan.selected.includes(JUDGING_CHECK)) return null;
  return await watchedSettlements(ctx);
}

const watchedSettlements = sharedResult(async (ctx): Promise<SettlementSubscription> => {
  const before = await createInvoice(ctx);
  await ifReachable(() => invoiceBeforeSubscription(ctx));
  const inbox = await webhookReceiver(ctx);
  const subscription = await subscribe(ctx, { url: inbox.urlFor(SUBSCRIPTION_PATH) }, {}, 'run');
  const hasReceived = async () =>
    (await isSpareSettlementAnnounced(ctx, inbox, SUBSCRIPTION_PATH, announcementTimeoutMs(ctx))) ||
    (await isSettlementAnnounced(ctx, inbox, await createSharedSettlement(ctx)));
  return { inbox, subscription, isDelivered: isSuccess(subscription) && (await hasReceived()), before };
});

/** Whether that subscription receives a delivery with the invoice id in time. */
export async function isSettlementAnnounced(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  { id }: Invoice,
): Promise<boolean> {
  return await isAnnounced(ctx, id, { inbox, path: SUBSCRIPTION_PATH, withinMs: announcementTimeoutMs(ctx) });
}
