import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { Breach } from '../../engine/model/outcomes.ts';
import { isSuccess } from '../api/responses.ts';
import { blockedBy, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { createSharedSettlement } from './announced-settlement.ts';
import { deliveryBreach, MAX_DELIVERY_DELAY_MS } from './deliveries.ts';
import { mentionOf } from './invoice-mention.ts';
import { sellerPaths, skipIfOnlyBuyerNotified } from './notified-party.ts';
import {
  announcementTimeoutMs,
  LATE_DELIVERY_ADVICE,
  signingSecret,
  skipUnlessReceiverAccepted,
  subscribe,
  waitForDeliveries,
  waitForMatchingDeliveries,
  webhookReceiver,
} from './subscriptions.ts';

interface PathSubscription {
  path: string;
  response: ApiResponse;
}

/**
 * Every subscription of one organization to PAYMENT_COMPLETED receives a settlement, although a later one has another url or another
 * owner. Throws a Breach if one of them receives neither of two settlements and another one receives both: a delivery may be lost, and a
 * sender may learn of a subscription late.
 */
export async function expectEachSubscriptionNotified(ctx: CheckContext): Promise<void> {
  const inbox = await webhookReceiver(ctx);
  const sent = await subscribeSeveralTimes(ctx, inbox);
  const accepted = sent.filter(({ response }) => isSuccess(response));
  if (accepted.length === 0) for (const { response } of sent) await skipUnlessReceiverAccepted(ctx, response);
  skipUnlessSeveral(accepted);
  const within = announcementTimeoutMs(ctx);
  const first = await announcedSettlement(ctx, inbox, accepted);
  const late = await pathsWithout(inbox, accepted, within, first.counts);
  if (late.length === 0) return;
  const second = await announcedSettlement(ctx, inbox, accepted);
  blockIfOnlyFirstAnnounced(first.isNamed, second.isNamed);
  const counts = (each: Delivery) => first.counts(each) || second.counts(each);
  const [missed] = await pathsWithout(inbox, late, within, counts);
  if (missed) throw missedBreach(ctx, missed, { accepted, within });
}

function blockIfOnlyFirstAnnounced(isFirstNamed: boolean, isSecondNamed: boolean): void {
  if (isFirstNamed && !isSecondNamed)
    blockedBy('HOOK-04.every-settlement', 'none of the subscriptions received a delivery of the second settlement');
}

/** A settlement of which at least one subscription of the seller is notified. Throws Blocked if none is. */
async function announcedSettlement(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  accepted: readonly PathSubscription[],
): Promise<{ isNamed: boolean; counts: (delivery: Delivery) => boolean }> {
  const earlier = new Set(inbox.deliveries);
  const { id } = await createSharedSettlement(ctx);
  const isAbout = await mentionOf(ctx, id);
  // A server may notify only the first of several subscriptions, which another check made.
  const others = sellerPaths(ctx, inbox);
  const isNew = (each: Delivery) => !earlier.has(each);
  const isOwn = (each: Delivery) => isNew(each) && accepted.some(({ path }) => path === each.path);
  const isAnother = (each: Delivery) => isNew(each) && others.has(each.path) && isAbout(each);
  await blockUnlessAnyDelivered(ctx, inbox, announcementTimeoutMs(ctx), (each) => isOwn(each) || isAnother(each));
  // The contract does not say whether a payload contains the invoice id. If it does not, any delivery counts.
  const isNamedDelivery = (each: Delivery) => isAnother(each) || (isOwn(each) && isAbout(each));
  const about = await waitForMatchingDeliveries(inbox, MAX_DELIVERY_DELAY_MS, isNamedDelivery);
  const isNamed = about.length > 0;
  return { isNamed, counts: isNamed ? isAbout : () => true };
}

/** The subscriptions to which no such delivery arrives in time. */
async function pathsWithout(
  inbox: WebhookReceiver,
  accepted: readonly PathSubscription[],
  within: number,
  counts: (one: Delivery) => boolean,
): Promise<PathSubscription[]> {
  const missed = await Promise.all(
    accepted.map(async (each) =>
      (await waitForDeliveries(inbox, each.path, within, counts)).length > 0 ? [] : [each],
    ),
  );
  return missed.flat();
}

function skipUnlessSeveral(accepted: readonly PathSubscription[]): void {
  if (accepted.length < 2)
    notApplicable(`the server accepts ${accepted.length} of 3 subscriptions of one organization`);
}

async function blockUnlessAnyDelivered(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  within: number,
  isOwn: (delivery: Delivery) => boolean,
): Promise<void> {
  const received = await waitForMatchingDeliveries(inbox, within, isOwn);
  if (received.length > 0) return;
  await skipIfOnlyBuyerNotified(ctx);
  blockedBy('HOOK-04.settlement', 'none of the subscriptions received a delivery');
}

/**
 * The subscriptions to PAYMENT_COMPLETED, in an order in which a server that stores one per organization, event types, secret or
 * path loses one of them. The last two are sent at once.
 */
async function subscribeSeveralTimes(ctx: CheckContext, inbox: WebhookReceiver): Promise<PathSubscription[]> {
  const secret = signingSecret();
  const subscribeAt = async (path: string, changes: Record<string, unknown> = {}): Promise<PathSubscription> => ({
    path,
    response: await subscribe(ctx, { url: inbox.urlFor(path), ...changes }),
  });
  const first = await subscribeAt('/each/first', { signingSecret: secret });
  for (const name of ctx.availableActors('buyer'))
    await subscribe(ctx, { url: inbox.urlFor('/each/buyer') }, { as: ctx.credentials(name) });
  const last = [subscribeAt(`/each/first${QUERY}`), subscribeAt('/each/second', { signingSecret: secret })];
  return [first, ...(await Promise.all(last))];
}

const QUERY = '?of=conformance';

function missedBreach(
  ctx: CheckContext,
  { path, response }: PathSubscription,
  { accepted, within }: { accepted: readonly PathSubscription[]; within: number },
): Breach {
  const others = accepted.filter((each) => each.path !== path);
  const because = `the subscription to ${path} received no delivery about either of two settlements within ${within} ms, although another subscription of the same organization did; ${LATE_DELIVERY_ADVICE}`;
  return deliveryBreach(ctx, response, {
    expected:
      'a delivery of a settlement to each of the subscriptions (Events: notifications to subscriptions made through the webhook endpoint)',
    because,
    later: 'no delivery',
    others: others.map((each) => each.response),
  });
}
