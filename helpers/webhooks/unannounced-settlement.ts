import type { Delivery, Receiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { breach } from '../assert/expect.ts';
import type { Lab } from '../context/check-context.ts';
import { mentions } from '../data/id-mention.ts';
import { deliveriesTo, STRAGGLERS_MS } from './subscriptions.ts';

/** An invoice of which the settlement was refused. */
export interface Unsettled {
  id: string;
  refusal: ApiResponse;
}

/** A subscription to PAYMENT_COMPLETED at a path of the receiver, and the answer that it was accepted with. */
export interface Subscribed {
  inbox: Receiver;
  path: string;
  control: ApiResponse;
}

/** Who has been told of a later settlement, that of `settledId`, is told nothing of the one that was refused before it. */
export async function expectNotAnnounced(
  lab: Lab,
  { inbox, path, control }: Subscribed,
  { id, refusal }: Unsettled,
  settledId: string,
): Promise<void> {
  // What one delivery tells of several invoices may tell different things of them.
  const announces = ({ body }: Delivery) =>
    body.includes('PAYMENT_COMPLETED') && mentions(body, id) && !mentions(body, settledId);
  const [told] = await deliveriesTo(inbox, path, STRAGGLERS_MS, announces);
  if (!told) return;
  const because = `the subscription received ${told.body}`;
  throw breach(lab, refusal, 'no PAYMENT_COMPLETED for a payment that was refused', because, [control]);
}
