import { isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { blockedBy, notApplicable } from '../../helpers/assert/unjudged-outcomes.ts';
import { type Check, check, checkInPhase, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { mentionsId } from '../../helpers/data/id-mention.ts';
import { takeApprovedInvoice } from '../../helpers/fixtures/spare-invoices.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { actionsLeadingTo, createInvoiceInState, type Invoice, moveToState } from '../../helpers/invoices/invoices.ts';
import { expectVariantsAnnounced } from '../../helpers/lifecycle/announced-variants.ts';
import {
  borrowUncoveredInvoice,
  createUncoveredInvoice,
  skipUnlessRejectedForFunds,
} from '../../helpers/treasury/insufficient-funds/uncovered-invoice.ts';
import { createSharedSettlement, isSpareSettlementAnnounced } from '../../helpers/webhooks/announced-settlement.ts';
import {
  BOOKING_EVENT_TYPES,
  type Delivery,
  isBookingDelivery,
  isUnrequestedBookingDelivery,
  MAX_DELIVERY_DELAY_MS,
  summarizeDeliveries,
} from '../../helpers/webhooks/deliveries.ts';
import { expectStateRejectionUnannounced } from '../../helpers/webhooks/rejected-subscriptions.ts';
import {
  blockUnlessReceiverReachable,
  isAnnounced,
  LATE_DELIVERY_MS,
  signingSecret,
  subscribe,
  waitForDeliveries,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';
import {
  type AcceptedSubscription,
  expectNoRejectedPaymentDelivered,
  type RejectedSettlement,
} from '../../helpers/webhooks/unannounced-settlement.ts';
import { announcementTimeoutMs } from '../../helpers/webhooks/watched-settlements.ts';

/** Throws NotApplicable if the settlement is not rejected for insufficient funds. */
async function settleWithoutFunds(ctx: CheckContext, { id }: Invoice): Promise<RejectedSettlement> {
  const rejection = await performAction(ctx, 'settle', id);
  if (isSuccess(rejection))
    notApplicable('the server accepts a settlement beyond the funds', { judgedBy: 'TREAS-01.settlement' });
  skipUnlessRejectedForFunds(rejection);
  return { id, rejection };
}

/** Throws a Breach if a rejected settlement is announced. The control is a later settlement that is announced. */
async function expectRejectedSettlementUnannounced(
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
  const isReceived = ({ id }: Invoice) => isAnnounced(inbox, path, id, ctx.target.limits.settleWithinMs);
  const older = await moveToState(ctx, funded, 'SETTLED');
  if (await isReceived(older)) return older;
  // HOOK-04 judges a server that announces no settlement of an invoice that is older than the subscription.
  if (inbox.deliveries.length > 0) {
    const settled = await createInvoiceInState(ctx, 'SETTLED');
    if (await isReceived(settled)) return settled;
  }
  return notApplicable('the server announces no settlement');
}

export const deliveryChecks: readonly Check[] = [
  check('HOOK-04.settlement', ['connection', ...actionsLeadingTo('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const url = inbox.urlFor('/settlement');
    const secret = signingSecret();
    const response = await subscribe(ctx, { url, signingSecret: secret });
    if (!isSuccess(response))
      notApplicable(`the server rejects a subscription to the kit's own receiver (${response.status})`);
    const { id } = await createSharedSettlement(ctx);
    const within = announcementTimeoutMs(ctx);
    const arrived = await waitForDeliveries(inbox, '/settlement', within);
    // At the end of the run all deliveries have arrived.
    ctx.run.onClose(async () => {
      const all = inbox.deliveries.filter(({ path }) => path === '/settlement');
      ctx.observe(
        'webhook-delivery',
        summarizeDeliveries(all, secret, ({ body }) => mentionsId(body, id)),
      );
    });
    if (arrived.length === 0) {
      throw breach(
        ctx,
        response,
        'a delivery to the subscription after a settlement',
        `no delivery arrived within ${within} ms`,
      );
    }
  }),

  check('HOOK-04.every-settlement', ['connection', ...actionsLeadingTo('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const path = '/every-settlement';
    const response = await subscribe(ctx, { url: inbox.urlFor(path) });
    if (!isSuccess(response))
      notApplicable(`the server rejects a subscription to the kit's own receiver (${response.status})`);
    const within = announcementTimeoutMs(ctx);
    const first = await createSharedSettlement(ctx);
    const received = await waitForDeliveries(inbox, path, within);
    if (inbox.deliveries.length === 0) blockedBy('HOOK-04.settlement', 'the kit received no deliveries');
    const expected = 'a delivery to the subscription after each settlement';
    if (received.length === 0) throw breach(ctx, response, expected, `no delivery arrived within ${within} ms`);
    // The contract does not say whether a payload contains the invoice id. If it does not, any further delivery counts.
    const about = await waitForDeliveries(inbox, path, MAX_DELIVERY_DELAY_MS, ({ body }) => mentionsId(body, first.id));
    const arrived = () => waitForDeliveries(inbox, path, 0);
    const before = (await arrived()).length;
    if (about.length > 0 && (await isSpareSettlementAnnounced(ctx, inbox, path, within))) return;
    const second = await createSharedSettlement(ctx);
    const goesOn = (all: readonly Delivery[]) =>
      about.length > 0 ? all.some(({ body }) => mentionsId(body, second.id)) : all.length > before;
    const isOfSecond = ({ body }: Delivery) => mentionsId(body, second.id);
    if (about.length > 0) await waitForDeliveries(inbox, path, within, isOfSecond);
    const all = await pollUntil(ctx, arrived, goesOn, about.length > 0 ? 0 : within);
    const because = `no delivery about a second settlement arrived within ${within} ms`;
    expectThat(ctx, goesOn(all), response, expected, because);
  }),

  check('HOOK-04.invoice-variants', ['connection', ...actionsLeadingTo('SETTLED')], expectVariantsAnnounced),

  check('HOOK-04.full-url', ['connection', ...actionsLeadingTo('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const path = '/Whole-Address';
    const query = '?of=Conformance';
    const response = await subscribe(ctx, { url: `${inbox.urlFor(path)}${query}` });
    if (!isSuccess(response)) notApplicable(`the server rejects a url with a query (${response.status})`);
    await createSharedSettlement(ctx);
    const sent = () =>
      inbox.deliveries.filter((delivery) => delivery.path.toLowerCase().startsWith(path.toLowerCase()));
    const [first] = await pollUntil(
      ctx,
      async () => sent(),
      (arrived) => arrived.length > 0,
    );
    if (!first) {
      await blockUnlessReceiverReachable(inbox);
      return blockedBy('HOOK-04.settlement', 'the kit received no delivery');
    }
    const because = `the delivery went to ${first.path}`;
    // A server may append to the URL.
    const whole = first.path.startsWith(path) && first.path.includes(query.slice(1));
    expectThat(ctx, whole, response, `a delivery to ${path}${query}`, because);
  }),

  check('HOOK-07.other-event-kind', ['connection', ...actionsLeadingTo('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const pathOf = (kinds: readonly string[]) => `/only/${kinds.join('-and-')}`;
    const asked = [...BOOKING_EVENT_TYPES.map((kind) => [kind]), [...BOOKING_EVENT_TYPES]];
    const others = await Promise.all(
      asked.map((kinds) => subscribe(ctx, { url: inbox.urlFor(pathOf(kinds)), eventTypes: kinds })),
    );
    const [rejection] = others.filter((each) => !isSuccess(each));
    if (rejection) notApplicable(`the server rejects a subscription to the kit's own receiver (${rejection.status})`);
    // The control: a subscription to PAYMENT_COMPLETED receives the same settlement.
    await subscribe(ctx, { url: inbox.urlFor('/same-kind') });
    const invoice = await createSharedSettlement(ctx);
    const within = ctx.target.limits.settleWithinMs;
    const about = await waitForDeliveries(inbox, '/same-kind', within, ({ body }) => body.includes(invoice.id));
    if (about.length === 0) notApplicable('the server announces no settlement');
    // The contract does not define the payload. A booking delivery may mention its payment, and name its type in a header.
    const isPayment = (delivery: Delivery) =>
      delivery.body.includes('"PAYMENT_COMPLETED"') && !isBookingDelivery(delivery);
    await Promise.all(
      asked.map(async (kinds, at) => {
        const isWrong = (delivery: Delivery) =>
          mentionsId(delivery.body, invoice.id) &&
          (isPayment(delivery) || isUnrequestedBookingDelivery(delivery, kinds));
        const [wrong] = await waitForDeliveries(inbox, pathOf(kinds), LATE_DELIVERY_MS, isWrong);
        const subscription = others[at];
        if (wrong && subscription)
          throw breach(
            ctx,
            subscription,
            `only deliveries of ${kinds.join(' and ')}`,
            `the subscription received ${wrong.body}`,
          );
      }),
    );
  }),

  check('HOOK-07.several-event-kinds', ['connection', ...actionsLeadingTo('SETTLED')], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const kinds = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED'];
    // The controls: a subscription before and one after these receive the same settlement.
    await subscribe(ctx, { url: inbox.urlFor('/one-before-several') });
    const orders = [kinds, kinds.toReversed()];
    const several = await Promise.all(
      orders.map((eventTypes, at) => subscribe(ctx, { url: inbox.urlFor(`/several/${at}`), eventTypes })),
    );
    const rejection = several.find((each) => !isSuccess(each));
    if (rejection) notApplicable(`the server rejects a subscription to the kit's own receiver (${rejection.status})`);
    await subscribe(ctx, { url: inbox.urlFor('/one-of-several') });
    const invoice = await createSharedSettlement(ctx);
    const within = ctx.target.limits.settleWithinMs;
    const isPayment = ({ body }: Delivery) => body.includes('PAYMENT_COMPLETED') && body.includes(invoice.id);
    const control = await waitForDeliveries(inbox, '/one-of-several', within, isPayment);
    if (control.length === 0) notApplicable('the server announces no settlement as PAYMENT_COMPLETED');
    const earlier = await waitForDeliveries(inbox, '/one-before-several', within, isPayment);
    if (earlier.length === 0) notApplicable('a later subscription replaces an earlier one');
    await Promise.all(
      several.map(async (response, at) => {
        const received = await waitForDeliveries(inbox, `/several/${at}`, within, isPayment);
        if (received.length > 0) return;
        const because = `only the subscriptions to ${kinds.at(-1)} alone received it, one before this subscription and one after it`;
        throw breach(ctx, response, 'PAYMENT_COMPLETED delivered to a subscription to several event types', because);
      }),
    );
  }),

  // Late, when no payments of other checks are in progress, and first there, because it waits for a whole timeout.
  checkInPhase(
    FIRST_IN_LATE,
    'HOOK-09.insufficient-funds',
    ['connection', 'buyer', ...actionsLeadingTo('SETTLED'), 'treasuryBalance'],
    async (ctx) => {
      const inbox = await webhookReceiver(ctx);
      const path = '/uncovered-settlement';
      const control = await subscribe(ctx, { url: inbox.urlFor(path) });
      if (!isSuccess(control))
        notApplicable(`the server rejects a subscription to the kit's own receiver (${control.status})`);
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

  check('HOOK-09.rejected-settlement', ['connection', ...actionsLeadingTo('SETTLED')], expectStateRejectionUnannounced),
];
