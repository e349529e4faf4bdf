import { setTimeout as pause } from 'node:timers/promises';
import type { Credentials } from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { needsToReach } from '../../helpers/invoices/invoices.ts';
import { createSharedSettlement } from '../../helpers/webhooks/announced-settlement.ts';
import {
  BOOKING_EVENT_TYPES,
  type Delivery,
  deliveryBreach,
  type WebhookReceiver,
} from '../../helpers/webhooks/deliveries.ts';
import { mentionOf } from '../../helpers/webhooks/invoice-mention.ts';
import {
  announcementTimeoutMs,
  findUnwantedDelivery,
  skipUnlessReceiverAccepted,
  subscribe,
  waitForDeliveries,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';
import { unrecognizedReason } from '../../helpers/webhooks/unrecognized-delivery.ts';

/** Event types of the outsider's subscriptions besides the one to PAYMENT_COMPLETED, by path. */
const OTHER_OUTSIDER_SUBSCRIPTIONS = {
  '/outsider-of-bookings': BOOKING_EVENT_TYPES,
  '/outsider-of-all': [...BOOKING_EVENT_TYPES, 'PAYMENT_COMPLETED'],
};

/** Why the seller's subscription does not show that a leaked delivery would be recognized; null if it does. */
async function missingControl(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  isAbout: (delivery: Delivery) => boolean,
): Promise<string | null> {
  const received = await waitForDeliveries(inbox, '/insider', announcementTimeoutMs(ctx));
  if (received.length === 0) return 'the server notifies no subscription of a settlement';
  // The first deliveries may be about other settlements.
  const named = await waitForDeliveries(inbox, '/insider', announcementTimeoutMs(ctx), isAbout);
  return named.length > 0
    ? null
    : unrecognizedReason(ctx, inbox, '/insider', { nothing: 'the server notifies no subscription of a settlement' });
}

/** Covers the settlement and the start of its deliveries. */
const LISTS_DURING_SETTLEMENT = 10;
const LIST_INTERVAL_MS = 5;

async function listRepeatedly(ctx: CheckContext, as: Credentials): Promise<void> {
  for (let sent = 0; sent < LISTS_DURING_SETTLEMENT; sent += 1) {
    await listInvoices(ctx, { page: 0, limit: 1 }, { as });
    await pause(LIST_INTERVAL_MS);
  }
}

/** A leaked delivery may come from another queue, and later than the delivery of the seller. */
const LEAK_WINDOW_MS = 1000;

async function findOutsiderDelivery(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  isAbout: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  const paths = ['/outsider', ...Object.keys(OTHER_OUTSIDER_SUBSCRIPTIONS)];
  const leaked = await Promise.all(
    paths.map((path) => findUnwantedDelivery(ctx, inbox, path, LEAK_WINDOW_MS, isAbout)),
  );
  return leaked.find((each) => each !== undefined);
}

export const recipientsChecks: readonly Check[] = [
  check('HOOK-05.third-organization', ['connection', 'outsider', ...needsToReach('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const as = ctx.credentials('outsider');
    const foreign = await subscribe(ctx, { url: inbox.urlFor('/outsider') }, { as });
    await skipUnlessReceiverAccepted(ctx, foreign, "the outsider's subscription to the kit's receiver");
    for (const [path, eventTypes] of Object.entries(OTHER_OUTSIDER_SUBSCRIPTIONS))
      await subscribe(ctx, { url: inbox.urlFor(path), eventTypes }, { as });
    // The control: the seller's own subscription receives the same settlement.
    const own = await subscribe(ctx, { url: inbox.urlFor('/insider') });
    // A server may take the recipients from whichever request it processes at the same time.
    const { id } = await createSharedSettlement(ctx, () => listRepeatedly(ctx, as));
    const isAbout = await mentionOf(ctx, id);
    // The check changes nothing from here on.
    ctx.execution.allowLatePhase();
    const missing = await missingControl(ctx, inbox, isAbout);
    const leaked = await findOutsiderDelivery(ctx, inbox, isAbout);
    const expected = "no delivery about the settlement to a third organization's receiver";
    if (leaked) {
      const because = `the subscription received ${leaked.body}`;
      throw deliveryBreach(ctx, foreign, { expected, because, later: 'a delivery', others: [own] });
    }
    await skipUnlessReceiverAccepted(ctx, own);
    if (missing !== null) notApplicable(missing);
  }),
];
