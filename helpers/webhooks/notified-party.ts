import type { WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import { isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { createdSubscriptions } from '../context/created-subscriptions.ts';
import { sharedResult } from '../context/shared-result.ts';
import { createSharedSettlement } from './announced-settlement.ts';
import { announcementTimeoutMs, subscribe, waitForDeliveries, webhookReceiver } from './subscriptions.ts';

const BUYER_PATH = '/buyer';

/** The paths at the receiver to which the run has subscribed the seller. */
export function sellerPaths(ctx: CheckContext, inbox: WebhookReceiver): ReadonlySet<string> {
  const base = inbox.urlFor('');
  const own = createdSubscriptions(ctx.run).filter(({ credentials }) => credentials.actor === 'seller');
  return new Set(own.flatMap(({ url }) => (url.startsWith(base) ? [url.slice(base.length)] : [])));
}

/**
 * Throws NotApplicable if no subscription of the seller has received a delivery, and one of the buyer does: the contract does not say
 * which party is notified of a settlement.
 */
export async function skipIfOnlyBuyerNotified(ctx: CheckContext): Promise<void> {
  const inbox = await webhookReceiver(ctx);
  const own = sellerPaths(ctx, inbox);
  const isSellerNotified = () => inbox.deliveries.some(({ path }) => own.has(path));
  if (isSellerNotified()) return;
  // A late delivery to the seller may arrive while the kit waits for one to the buyer.
  if ((await isBuyerNotified(ctx)) && !isSellerNotified())
    notApplicable(
      'the server notifies the buyer of a settlement, and not the seller; the contract does not say which party is notified',
    );
}

const isBuyerNotified = sharedResult(async (ctx): Promise<boolean> => {
  const [buyer] = ctx.availableActors('buyer');
  if (!buyer) return false;
  const inbox = await webhookReceiver(ctx);
  const url = inbox.urlFor(BUYER_PATH);
  if (!isSuccess(await subscribe(ctx, { url }, { as: ctx.credentials(buyer) }))) return false;
  await createSharedSettlement(ctx);
  return (await waitForDeliveries(inbox, BUYER_PATH, announcementTimeoutMs(ctx))).length > 0;
});
