import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockedBy, notApplicable } from '../assert/unjudged-outcomes.ts';
import type { CheckContext } from '../context/check-context.ts';
import { mentionsId } from '../data/id-mention.ts';
import { createSharedSettlement } from './announced-settlement.ts';
import { MAX_DELIVERY_DELAY_MS } from './deliveries.ts';
import {
  signingSecret,
  subscribe,
  waitForDeliveries,
  waitForMatchingDeliveries,
  webhookReceiver,
} from './subscriptions.ts';
import { announcementTimeoutMs } from './watched-settlements.ts';

interface PathSubscription {
  path: string;
  response: ApiResponse;
}

/**
 * Every subscription of one organization to PAYMENT_COMPLETED receives a settlement, although a later one has another url, another
 * event type or another owner. Throws a Breach otherwise.
 */
export async function expectEachSubscriptionNotified(ctx: CheckContext): Promise<void> {
  const inbox = await webhookReceiver(ctx);
  const accepted = (await subscribeSeveralTimes(ctx, inbox)).filter(({ response }) => isSuccess(response));
  skipUnlessSeveral(accepted);
  const { id } = await createSharedSettlement(ctx);
  const isOwnPath = ({ path }: Delivery) => accepted.some((each) => each.path === path);
  const within = announcementTimeoutMs(ctx);
  await blockUnlessAnyDelivered(inbox, within, isOwnPath);
  // The contract does not say whether a payload contains the invoice id. If it does not, any delivery counts.
  const isAbout = ({ body }: Delivery) => mentionsId(body, id);
  const about = await waitForMatchingDeliveries(
    inbox,
    MAX_DELIVERY_DELAY_MS,
    (each) => isOwnPath(each) && isAbout(each),
  );
  const counts = about.length > 0 ? isAbout : () => true;
  await Promise.all(accepted.map((each) => expectNotified(ctx, inbox, each, { accepted, within, counts })));
}

function skipUnlessSeveral(accepted: readonly PathSubscription[]): void {
  if (accepted.length < 2)
    notApplicable(`the server accepts ${accepted.length} of 3 subscriptions of one organization`);
}

async function blockUnlessAnyDelivered(
  inbox: WebhookReceiver,
  within: number,
  isOwn: (delivery: Delivery) => boolean,
): Promise<void> {
  const received = await waitForMatchingDeliveries(inbox, within, isOwn);
  if (received.length === 0) blockedBy('HOOK-04.settlement', 'none of the subscriptions received a delivery');
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
  await subscribeAt('/each/bookings', { eventTypes: ['BOOKING_CREATED'] });
  for (const name of ctx.availableActors('buyer'))
    await subscribe(ctx, { url: inbox.urlFor('/each/buyer') }, { as: ctx.credentials(name) });
  const last = [subscribeAt(`/each/first${QUERY}`), subscribeAt('/each/second', { signingSecret: secret })];
  return [first, ...(await Promise.all(last))];
}

const QUERY = '?of=conformance';

async function expectNotified(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  { path, response }: PathSubscription,
  { accepted, within, counts }: { accepted: PathSubscription[]; within: number; counts: (one: Delivery) => boolean },
): Promise<void> {
  if ((await waitForDeliveries(inbox, path, within, counts)).length > 0) return;
  const others = accepted.filter((each) => each.path !== path);
  const because = `the subscription to ${path} received no delivery about the settlement within ${within} ms, and another one of the same organization did (${others.map((each) => each.path).join(', ')})`;
  throw breach(
    ctx,
    response,
    'a delivery of the settlement to each of the subscriptions (Events: notifications to subscriptions made through the webhook endpoint)',
    because,
    others.map((each) => each.response),
  );
}
