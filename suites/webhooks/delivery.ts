import { type ApiResponse, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { blockedBy, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import { mentionsId } from '../../helpers/data/id-mention.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { type Invoice, needsToReach } from '../../helpers/invoices/invoices.ts';
import { expectVariantsAnnounced } from '../../helpers/lifecycle/sequences/announced-variants.ts';
import {
  borrowUncoveredInvoice,
  createUncoveredInvoice,
  skipUnlessRejectedForFunds,
} from '../../helpers/treasury/insufficient-funds/uncovered-invoice.ts';
import { createSharedSettlement, isSecondSettlementAnnounced } from '../../helpers/webhooks/announced-settlement.ts';
import {
  BOOKING_EVENT_TYPES,
  type Delivery,
  deliveryBreach,
  MAX_DELIVERY_DELAY_MS,
  summarizeDeliveries,
  type WebhookReceiver,
} from '../../helpers/webhooks/deliveries.ts';
import {
  expectOnlyRequestedEvents,
  expectPaymentDelivered,
  skipUnlessSubscribed,
} from '../../helpers/webhooks/event-subscriptions.ts';
import { mentionOf } from '../../helpers/webhooks/invoice-mention.ts';
import { confirmUnlessRemoved } from '../../helpers/webhooks/lost-subscriptions.ts';
import { skipIfOnlyBuyerNotified } from '../../helpers/webhooks/notified-party.ts';
import { expectStateRejectionUnannounced } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { expectEachSubscriptionNotified } from '../../helpers/webhooks/several-subscriptions.ts';
import {
  announcementTimeoutMs,
  LATE_DELIVERY_ADVICE,
  signingSecret,
  skipUnlessReceiverAccepted,
  subscribe,
  waitForDeliveries,
  waitForMatchingDeliveries,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';
import {
  expectRejectedSettlementUnannounced,
  type RejectedSettlement,
} from '../../helpers/webhooks/unannounced-settlement.ts';
import { unrecognizedReason } from '../../helpers/webhooks/unrecognized-delivery.ts';

/** Throws NotApplicable if the settlement is not rejected for insufficient funds. */
async function settleWithoutFunds(ctx: CheckContext, { id }: Invoice): Promise<RejectedSettlement> {
  const rejection = await performAction(ctx, 'settle', id);
  if (isSuccess(rejection))
    notApplicable('the server accepts a settlement beyond the funds', { judgedBy: 'TREAS-01.settlement' });
  skipUnlessRejectedForFunds(rejection);
  return { id, rejection };
}

/** At the end of the run all deliveries have arrived. */
function observeDeliveriesAtEnd(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  { path, secret, settledId }: { path: string; secret: string; settledId: string },
): void {
  ctx.run.onClose(async () => {
    const all = inbox.deliveries.filter((delivery) => delivery.path === path);
    const summary = summarizeDeliveries(all, secret, ({ body }) => mentionsId(body, settledId));
    ctx.observe('webhook-delivery', summary);
  });
}

async function skipUnlessDelivered(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  path: string,
  isAwaited: (delivery: Delivery) => boolean,
  otherwise: Parameters<typeof unrecognizedReason>[3],
): Promise<void> {
  const received = await waitForDeliveries(inbox, path, announcementTimeoutMs(ctx), isAwaited);
  if (received.length === 0) notApplicable(unrecognizedReason(ctx, inbox, path, otherwise));
}

/** Throws a Breach if no delivery has arrived, unless the server notifies only the buyer. */
async function expectDelivered(
  ctx: CheckContext,
  response: ApiResponse,
  received: readonly Delivery[],
  expected: string,
): Promise<void> {
  if (received.length > 0) return;
  await skipIfOnlyBuyerNotified(ctx);
  throw deliveryBreach(ctx, response, {
    expected,
    because: noDeliveryReason(ctx, 'no delivery'),
    later: 'no delivery',
  });
}

function noDeliveryReason(ctx: CheckContext, what: string): string {
  return `${what} arrived within ${announcementTimeoutMs(ctx)} ms; ${LATE_DELIVERY_ADVICE}`;
}

export const deliveryChecks: readonly Check[] = [
  check('HOOK-04.settlement', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    await confirmUnlessRemoved(ctx, '/settlement', async (path) => {
      const secret = signingSecret();
      const response = await subscribe(ctx, { url: inbox.urlFor(path), signingSecret: secret });
      await skipUnlessReceiverAccepted(ctx, response);
      const { id } = await createSharedSettlement(ctx);
      const arrived = await waitForDeliveries(inbox, path, announcementTimeoutMs(ctx));
      observeDeliveriesAtEnd(ctx, inbox, { path, secret, settledId: id });
      const expected = 'a delivery to the subscription after a settlement';
      await expectDelivered(ctx, response, arrived, expected);
    });
  }),

  check('HOOK-04.every-settlement', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    await confirmUnlessRemoved(ctx, '/every-settlement', async (path) => {
      const response = await subscribe(ctx, { url: inbox.urlFor(path) });
      await skipUnlessReceiverAccepted(ctx, response);
      const within = announcementTimeoutMs(ctx);
      const first = await createSharedSettlement(ctx);
      const received = await waitForDeliveries(inbox, path, within);
      if (inbox.deliveries.length === 0) blockedBy('HOOK-04.settlement', 'the kit received no deliveries');
      const expected = 'a delivery to the subscription after each settlement';
      await expectDelivered(ctx, response, received, expected);
      // The contract does not say whether a payload contains the invoice id. If it does not, any further delivery counts.
      const about = await waitForDeliveries(inbox, path, within, await mentionOf(ctx, first.id));
      const goesOn = await isSecondSettlementAnnounced(ctx, inbox, path, {
        withinMs: within,
        hasInvoiceIds: about.length > 0,
      });
      const because = noDeliveryReason(ctx, 'no delivery about a second settlement');
      expectThat(ctx, goesOn, response, expected, because);
    });
  }),

  check('HOOK-04.invoice-variants', ['connection', ...needsToReach('SETTLED')], expectVariantsAnnounced),

  check('HOOK-04.several-subscriptions', ['connection', ...needsToReach('SETTLED')], expectEachSubscriptionNotified),

  check('HOOK-04.full-url', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const path = '/Whole-Address';
    // Decoded, %26 would separate two parameters.
    const query = '?of=Conformance%26Kit';
    const response = await subscribe(ctx, { url: `${inbox.urlFor(path)}${query}` });
    await skipUnlessReceiverAccepted(ctx, response, 'a subscription whose url has a query');
    await createSharedSettlement(ctx);
    const isOwn = (delivery: Delivery) => delivery.path.toLowerCase().startsWith(path.toLowerCase());
    const [first] = await waitForMatchingDeliveries(inbox, announcementTimeoutMs(ctx), isOwn);
    if (!first) {
      await skipIfOnlyBuyerNotified(ctx);
      return blockedBy('HOOK-04.settlement', 'the kit received no delivery');
    }
    const because = `the delivery went to ${first.path}`;
    // A server may append to the URL.
    const whole = first.path.startsWith(path) && first.path.includes(query.slice(1));
    expectThat(ctx, whole, response, `a delivery to ${path}${query}`, because);
  }),

  check('HOOK-07.other-event-kind', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const sets = [...BOOKING_EVENT_TYPES.map((kind) => [kind]), [...BOOKING_EVENT_TYPES]];
    const requested = sets.map((eventTypes) => ({ path: `/only/${eventTypes.join('-and-')}`, eventTypes }));
    const others = await skipUnlessSubscribed(ctx, inbox, requested);
    // The control: a subscription to PAYMENT_COMPLETED receives the same settlement.
    await skipUnlessReceiverAccepted(ctx, await subscribe(ctx, { url: inbox.urlFor('/same-kind') }));
    const { id } = await createSharedSettlement(ctx);
    const isAbout = await mentionOf(ctx, id);
    const nothing = 'the server sends no notification of a settlement';
    await skipUnlessDelivered(ctx, inbox, '/same-kind', isAbout, { nothing });
    // The first delivery may be about an earlier event of this invoice.
    const isPayment = (delivery: Delivery) => isAbout(delivery) && delivery.body.includes('PAYMENT_COMPLETED');
    await waitForDeliveries(inbox, '/same-kind', MAX_DELIVERY_DELAY_MS, isPayment);
    await Promise.all(others.map((each) => expectOnlyRequestedEvents(ctx, inbox, each, id)));
  }),

  check('HOOK-07.several-event-kinds', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const kinds = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED'];
    // The controls: a subscription before and one after these receive the same settlement.
    await skipUnlessReceiverAccepted(ctx, await subscribe(ctx, { url: inbox.urlFor('/one-before-several') }));
    const requested = [kinds, kinds.toReversed()].map((eventTypes, at) => ({ path: `/several/${at}`, eventTypes }));
    const several = await skipUnlessSubscribed(ctx, inbox, requested);
    await skipUnlessReceiverAccepted(ctx, await subscribe(ctx, { url: inbox.urlFor('/one-of-several') }));
    const invoice = await createSharedSettlement(ctx);
    const isAbout = await mentionOf(ctx, invoice.id);
    const isPayment = (delivery: Delivery) => delivery.body.includes('PAYMENT_COMPLETED') && isAbout(delivery);
    const unannounced = { nothing: 'the server sends no PAYMENT_COMPLETED notification of a settlement', isAbout };
    await skipUnlessDelivered(ctx, inbox, '/one-of-several', isPayment, unannounced);
    const replaced = { nothing: 'a later subscription replaces an earlier one', isAbout };
    await skipUnlessDelivered(ctx, inbox, '/one-before-several', isPayment, replaced);
    await Promise.all(several.map((each) => expectPaymentDelivered(ctx, inbox, each, isPayment)));
  }),

  // Late, when no payments of other checks are in progress, and first there, because it waits for a whole timeout.
  checkInPhase(
    FIRST_IN_LATE,
    'HOOK-09.insufficient-funds',
    ['connection', 'buyer', ...needsToReach('SETTLED'), 'treasuryBalance'],
    async (ctx) => {
      const inbox = await webhookReceiver(ctx);
      const path = '/uncovered-settlement';
      const control = await subscribe(ctx, { url: inbox.urlFor(path) });
      await skipUnlessReceiverAccepted(ctx, control);
      const subscribed = { inbox, path, control };
      const lent = borrowUncoveredInvoice(ctx, (invoice) => settleWithoutFunds(ctx, invoice));
      try {
        await expectRejectedSettlementUnannounced(ctx, subscribed, lent);
      } catch (error) {
        if ((error as Error).name !== 'Breach') throw error;
        // Another check may have changed the borrowed invoice, so a new one confirms the breach.
        const own = createUncoveredInvoice(ctx).then((invoice) => settleWithoutFunds(ctx, invoice));
        await expectRejectedSettlementUnannounced(ctx, subscribed, own);
      }
    },
  ),

  check('HOOK-09.rejected-settlement', ['connection', ...needsToReach('SETTLED')], expectStateRejectionUnannounced),
];
