import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { takeApprovedInvoice } from '../fixtures/spare-invoices.ts';
import { createInvoiceInState, type Invoice, moveToState } from '../invoices/invoices.ts';
import { deliveryBreach } from './deliveries.ts';
import { mentionOf } from './invoice-mention.ts';
import { announcementTimeoutMs, findUnwantedDelivery, isAnnounced, LATE_DELIVERY_MS } from './subscriptions.ts';
import { unrecognizedReason } from './unrecognized-delivery.ts';

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
  const [isAbout, isAboutLater] = await Promise.all([mentionOf(ctx, id), mentionOf(ctx, settledId)]);
  const announces = (delivery: Delivery) =>
    delivery.body.includes('PAYMENT_COMPLETED') && isAbout(delivery) && !isAboutLater(delivery);
  const shown = await findUnwantedDelivery(ctx, inbox, path, LATE_DELIVERY_MS, announces);
  if (!shown) return;
  const because = `the settlement of invoice ${id} was rejected with ${rejection.status}, but the subscription received ${shown.body}`;
  const expected = 'no PAYMENT_COMPLETED for a rejected payment';
  throw deliveryBreach(ctx, rejection, { expected, because, later: 'a delivery', others: [control] });
}

/** Throws a Breach if a rejected settlement is announced. The control is a later settlement that is announced. */
export async function expectRejectedSettlementUnannounced(
  ctx: CheckContext,
  subscribed: AcceptedSubscription,
  rejected: Promise<RejectedSettlement>,
): Promise<void> {
  const [unsettled, funded] = await Promise.all([rejected, takeApprovedInvoice(ctx)]);
  const { id } = await settleAnnounced(ctx, subscribed, funded);
  await expectNoRejectedPaymentDelivered(ctx, subscribed, unsettled, id);
}

/** Settles invoices until the server announces one. Throws NotApplicable if it announces none. */
async function settleAnnounced(
  ctx: CheckContext,
  { inbox, path }: AcceptedSubscription,
  funded: Invoice,
): Promise<Invoice> {
  const isReceived = ({ id }: Invoice) => isAnnounced(ctx, id, { inbox, path, withinMs: announcementTimeoutMs(ctx) });
  const older = await moveToState(ctx, funded, 'SETTLED');
  if (await isReceived(older)) return older;
  // HOOK-04 judges a server that announces no settlement of an invoice that is older than the subscription.
  if (inbox.deliveries.length > 0) {
    const settled = await createInvoiceInState(ctx, 'SETTLED');
    if (await isReceived(settled)) return settled;
  }
  return notApplicable(
    unrecognizedReason(ctx, inbox, path, { nothing: 'the server sends no notification of a settlement' }),
  );
}
