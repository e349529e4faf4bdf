import { isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/unjudged-outcomes.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { mentionsId } from '../../helpers/data/id-mention.ts';
import { actionsLeadingTo } from '../../helpers/invoices/invoices.ts';
import { createSharedSettlement } from '../../helpers/webhooks/announced-settlement.ts';
import { BOOKING_EVENT_TYPES, type Delivery, MAX_DELIVERY_DELAY_MS } from '../../helpers/webhooks/deliveries.ts';
import {
  LATE_DELIVERY_MS,
  subscribe,
  waitForDeliveries,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';

export const recipientsChecks: readonly Check[] = [
  check('HOOK-05.third-organization', ['connection', 'outsider', ...actionsLeadingTo('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const foreign = await subscribe(ctx, { url: inbox.urlFor('/outsider') }, { as: ctx.credentials('outsider') });
    if (!isSuccess(foreign))
      notApplicable(`the server rejects the outsider's subscription to the kit's receiver (${foreign.status})`);
    const others = {
      '/outsider-of-bookings': BOOKING_EVENT_TYPES,
      '/outsider-of-all': [...BOOKING_EVENT_TYPES, 'PAYMENT_COMPLETED'],
    };
    for (const [path, eventTypes] of Object.entries(others))
      await subscribe(ctx, { url: inbox.urlFor(path), eventTypes }, { as: ctx.credentials('outsider') });
    // The control: the seller's own subscription receives the same settlement.
    const own = await subscribe(ctx, { url: inbox.urlFor('/insider') });
    const invoice = await createSharedSettlement(ctx);
    const about = ({ body }: Delivery) => mentionsId(body, invoice.id);
    const received = await waitForDeliveries(inbox, '/insider', ctx.target.limits.settleWithinMs);
    // The first deliveries may be about other settlements. The contract does not say whether a payload contains the invoice id.
    if (received.length > 0) await waitForDeliveries(inbox, '/insider', MAX_DELIVERY_DELAY_MS, about);
    const paths = ['/outsider', ...Object.keys(others)];
    const [leaked] = (
      await Promise.all(paths.map((path) => waitForDeliveries(inbox, path, LATE_DELIVERY_MS, about)))
    ).flat();
    if (leaked)
      throw breach(
        ctx,
        foreign,
        "no delivery about the settlement to a third organization's receiver",
        `the subscription received ${leaked.body}`,
        [own],
      );
    if (received.length === 0) notApplicable('the server announces no settlement to any subscription');
  }),
];
