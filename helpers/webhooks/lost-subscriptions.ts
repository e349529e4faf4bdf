import type { WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import { bodyMember } from '../../engine/model/messages.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import { listWebhooks } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { type Confirmation, confirmBreach } from '../assert/confirm-breach.ts';
import { disturbedByOthers } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { createdSubscriptions, listedSubscriptions } from '../context/created-subscriptions.ts';
import { createSharedSettlement } from './announced-settlement.ts';
import { announcementTimeoutMs, subscribe, waitForMatchingDeliveries, webhookReceiver } from './subscriptions.ts';

/** The contract gives subscriptions no end, so a server that loses a second one, too, breaks it. */
const LOST_SUBSCRIPTION: Confirmation = {
  rounds: 2,
  because:
    'the first subscription disappeared; either the server forgets subscriptions, or another user of the sandbox removes them',
};

const EITHER =
  'either another user of the sandbox removed it, or the server forgets subscriptions; run the check again when no other job uses the sandbox';

/**
 * Judges deliveries to a subscription at the path. If the subscription has disappeared, repeats the experiment with a new one: a server
 * that forgets subscriptions breaks it again. Otherwise throws DisturbedByOthers.
 */
export async function confirmUnlessRemoved(
  ctx: CheckContext,
  path: string,
  experiment: (path: string) => Promise<void>,
): Promise<void> {
  let sign: string | null = null;
  await confirmBreach(ctx, LOST_SUBSCRIPTION, async (attempt) => {
    if (attempt.number > 1) return await experiment(`${path}/again`);
    try {
      await experiment(path);
    } catch (error) {
      if (error instanceof Breach) {
        sign = await signOfRemoval(ctx, path);
        attempt.isLast = sign === null;
      }
      throw error;
    }
  });
  if (sign !== null)
    disturbedByOthers(`the subscription to ${path} has disappeared during the run: ${sign}; ${EITHER}`);
}

/** As a handler of an error: throws DisturbedByOthers if a breach is one of a subscription that has disappeared. */
export async function skipIfRemoved(ctx: CheckContext, path: string, error: unknown): Promise<void> {
  const sign = error instanceof Breach ? await signOfRemoval(ctx, path) : null;
  if (sign !== null)
    disturbedByOthers(`the subscription to ${path} has disappeared during the run: ${sign}; ${EITHER}`);
}

/** What shows that the server no longer has the subscription; null if nothing does. */
async function signOfRemoval(ctx: CheckContext, path: string): Promise<string | null> {
  const inbox = await webhookReceiver(ctx);
  const isListed = await findInList(ctx, inbox, path);
  if (isListed !== null) return isListed ? null : 'webhookList does not show it any more';
  return (await doOlderOnesMiss(ctx, inbox, path))
    ? 'older subscriptions of the run, which received deliveries before, receive none any more either'
    : null;
}

/** Whether webhookList shows the subscription. Null if the list is incomplete, because it does not show a new one either. */
async function findInList(ctx: CheckContext, inbox: WebhookReceiver, path: string): Promise<boolean | null> {
  if (!ctx.target.operations.webhookList) return null;
  const control = inbox.urlFor(`${path}/listed`);
  if (!isSuccess(await subscribe(ctx, { url: control }, {}, 'creation'))) return null;
  const response = await listWebhooks(ctx, ctx.credentials('seller'));
  const urls = is2xx(response) ? listedSubscriptions(response).map(({ url }) => url) : [];
  if (urls.includes(inbox.urlFor(path))) return true;
  const total = bodyMember(response, 'total');
  const isWhole = urls.includes(control) && !(typeof total === 'number' && total > urls.length);
  return isWhole ? false : null;
}

/** Whether no older subscription receives a further settlement. False without an older one that received an earlier delivery. */
async function doOlderOnesMiss(ctx: CheckContext, inbox: WebhookReceiver, path: string): Promise<boolean> {
  const urls = createdSubscriptions(ctx.run).map(({ url }) => url);
  const older = new Set(urls.slice(0, Math.max(0, urls.indexOf(inbox.urlFor(path)))));
  const earlier = new Set(inbox.deliveries);
  const isOlder = (delivery: { path: string }) => older.has(inbox.urlFor(delivery.path));
  if (!inbox.deliveries.some(isOlder)) return false;
  await createSharedSettlement(ctx);
  const isNew = (delivery: WebhookReceiver['deliveries'][number]) => !earlier.has(delivery) && isOlder(delivery);
  return (await waitForMatchingDeliveries(inbox, announcementTimeoutMs(ctx), isNew)).length === 0;
}
