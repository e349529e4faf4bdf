import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { CheckContext } from '../context/check.ts';
import { deliveryBreach, isBookingDelivery, isUnrequestedBookingDelivery } from './deliveries.ts';
import { mentionOf } from './invoice-mention.ts';
import {
  announcementTimeoutMs,
  findUnwantedDelivery,
  LATE_DELIVERY_MS,
  skipUnlessReceiverAccepted,
  subscribe,
  waitForDeliveries,
} from './subscriptions.ts';

/** A subscription to some event types at a path of the receiver. */
interface EventSubscription {
  path: string;
  eventTypes: readonly string[];
  response: ApiResponse;
}

/** Subscribes to the event types at each path. Throws NotApplicable or Blocked if the server rejects one of them. */
export async function skipUnlessSubscribed(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  requested: readonly Omit<EventSubscription, 'response'>[],
): Promise<EventSubscription[]> {
  const subscriptions = await Promise.all(
    requested.map(async ({ path, eventTypes }) => {
      const response = await subscribe(ctx, { url: inbox.urlFor(path), eventTypes });
      return { path, eventTypes, response };
    }),
  );
  for (const { response, eventTypes } of subscriptions)
    await skipUnlessReceiverAccepted(
      ctx,
      response,
      `a subscription of the kit's own receiver to ${eventTypes.join(', ')}`,
    );
  return subscriptions;
}

/**
 * A subscription to booking events must not receive the settlement as a payment or as another booking event. Throws a Breach
 * otherwise.
 */
export async function expectOnlyRequestedEvents(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  { path, eventTypes, response }: EventSubscription,
  settledId: string,
): Promise<void> {
  // The contract does not define the payload. A booking delivery may mention its payment, and name its type in a header.
  const isPayment = (delivery: Delivery) =>
    delivery.body.includes('"PAYMENT_COMPLETED"') && !isBookingDelivery(delivery);
  const isAbout = await mentionOf(ctx, settledId);
  const isWrong = (delivery: Delivery) =>
    isAbout(delivery) && (isPayment(delivery) || isUnrequestedBookingDelivery(delivery, eventTypes));
  const wrong = await findUnwantedDelivery(ctx, inbox, path, LATE_DELIVERY_MS, isWrong);
  if (!wrong) return;
  const expected = `only deliveries of ${eventTypes.join(' and ')}`;
  const because = `the subscription received ${wrong.body}`;
  throw deliveryBreach(ctx, response, { expected, because, later: 'a delivery' });
}

/** A subscription to several event types must receive the payment. Throws a Breach otherwise. */
export async function expectPaymentDelivered(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  { path, response }: EventSubscription,
  isPayment: (delivery: Delivery) => boolean,
): Promise<void> {
  const received = await waitForDeliveries(inbox, path, announcementTimeoutMs(ctx), isPayment);
  if (received.length > 0) return;
  const because =
    'this subscription received no PAYMENT_COMPLETED, but two subscriptions to only this kind did, one created before it and one after it';
  const expected = 'PAYMENT_COMPLETED delivered to a subscription to several event types';
  throw deliveryBreach(ctx, response, { expected, because, later: 'no delivery' });
}
