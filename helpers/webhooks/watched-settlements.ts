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
export async function invoiceBeforeSubscription(ctx: CheckContext): Promise<Invoice> {
  return await ctx.run.memoize('dressed before the subscription', async () => {
    const { body } = await maximalRequest(ctx);
    return await createInvoice(ctx, { ...body, amount: `${Math.trunc(Number(body.amount))}.00` });
  });
}

/** The subscription by which it is heard whether unusual settlements are announced, once it has heard of a usual one. Null where nobody judges that. */
export async function subscribeToSettlements(ctx: CheckContext): Promise<SettlementSubscription | null> {
  if (!ctx.run.plan.selected.includes(JUDGING_CHECK)) return null;
  return await ctx.run.memoize('watched settlements', async () => {
    const before = await createInvoice(ctx);
    await ifReachable(() => invoiceBeforeSubscription(ctx));
    const inbox = await webhookReceiver(ctx);
    const subscription = await subscribe(ctx, { url: inbox.urlFor(SUBSCRIPTION_PATH) });
    const hears = async () =>
      (await isSpareSettlementAnnounced(ctx, inbox, SUBSCRIPTION_PATH, announcementTimeoutMs(ctx))) ||
      (await isSettlementAnnounced(ctx, inbox, await createSharedSettlement(ctx)));
    return { inbox, subscription, hears: isSuccess(subscription) && (await hears()), before };
  });
}

/** Whether a delivery to that subscription names the invoice, within the time that it may take. */
export async function isSettlementAnnounced(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  { id }: Invoice,
): Promise<boolean> {
  return await isAnnounced(inbox, SUBSCRIPTION_PATH, id, announcementTimeoutMs(ctx));
}

export function announcementTimeoutMs(ctx: CheckContext): number {
  return Math.max(MIN_WAIT_MS, ctx.target.limits.settleWithinMs);
}
