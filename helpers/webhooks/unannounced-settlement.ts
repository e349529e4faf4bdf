import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { mentionsId } from '../data/id-mention.ts';
import { LATE_DELIVERY_MS, waitForDeliveries } from './subscriptions.ts';

/** An invoice whose settlement was rejected. */
export interface RejectedSettlement {
  id: string;
  rejection: ApiResponse;
}

/** A subscription to PAYMENT_COMPLETED at a path of the receiver; `control` is the response that accepted it. */
export interface AcceptedSubscription {
  inbox: WebhookReceiver;
  path: string;
  control: ApiResponse;
}

/**
 * The subscription received the later settlement of `settledId`, so it must have received nothing for the rejected one before
 * it. Throws a Breach otherwise.
 */
export async function expectNoRejectedPaymentDelivered(
  ctx: CheckContext,
  { inbox, path, control }: AcceptedSubscription,
  { id, rejection }: RejectedSettlement,
  settledId: string,
): Promise<void> {
  // A delivery about several invoices may report different events for them.
  const announces = ({ body }: Delivery) =>
    body.includes('PAYMENT_COMPLETED') && mentionsId(body, id) && !mentionsId(body, settledId);
  const [shown] = await waitForDeliveries(inbox, path, LATE_DELIVERY_MS, announces);
  if (!shown) return;
  const because = `the subscription received ${shown.body}`;
  throw breach(ctx, rejection, 'no PAYMENT_COMPLETED for a rejected payment', because, [control]);
}
