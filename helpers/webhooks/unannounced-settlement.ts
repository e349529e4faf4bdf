import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { mentionsId } from '../data/id-mention.ts';
import { LATE_DELIVERY_MS, waitForDeliveries } from './subscriptions.ts';

/** An invoice of which the settlement was refused. */
export interface RejectedSettlement {
  id: string;
  rejection: ApiResponse;
}

/** A subscription to PAYMENT_COMPLETED at a path of the receiver, and the answer that it was accepted with. */
export interface AcceptedSubscription {
  inbox: WebhookReceiver;
  path: string;
  control: ApiResponse;
}

/** Who has been told of a later settlement, that of `settledId`, is told nothing of the one that was refused before it. */
export async function expectNoRejectedPaymentDelivered(
  ctx: CheckContext,
  { inbox, path, control }: AcceptedSubscription,
  { id, rejection }: RejectedSettlement,
  settledId: string,
): Promise<void> {
  // What one delivery tells of several invoices may tell different things of them.
  const announces = ({ body }: Delivery) =>
    body.includes('PAYMENT_COMPLETED') && mentionsId(body, id) && !mentionsId(body, settledId);
  const [told] = await waitForDeliveries(inbox, path, LATE_DELIVERY_MS, announces);
  if (!told) return;
  const because = `the subscription received ${told.body}`;
  throw breach(ctx, rejection, 'no PAYMENT_COMPLETED for a payment that was refused', because, [control]);
}
