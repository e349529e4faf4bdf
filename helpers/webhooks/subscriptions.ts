import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, receiverPathSegment, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { isLoopback, isLoopbackHost } from '../../engine/target/loopback.ts';
import type { Target } from '../../specs/target.ts';
import { mayAffectProduction, postWebhook, type RequestOptions } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { blockedByRejection, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { recordSubscription, subscriptionId } from '../context/created-subscriptions.ts';
import { PRODUCTION_PREFIX } from '../context/leftover-reason.ts';
import { mentionsId } from '../data/id-mention.ts';
import { NOT_REMOVED } from './subscription-removal.ts';

/** The receiver of the run: one for all subscriptions, told apart by their paths. */
export async function webhookReceiver(ctx: CheckContext): Promise<WebhookReceiver> {
  return await ctx.run.memoize('webhook receiver', async () => {
    const { listen, publicUrl } = ctx.target.webhooks ?? { listen: '127.0.0.1:0', publicUrl: undefined };
    const opened = await WebhookReceiver.open(listen, publicUrl, receiverPathSegment(ctx.run.plan.runId));
    opened.unreachableReason = await unreachableReason(opened, ctx.target);
    if (publicUrl !== undefined) opened.checkReachability = () => unreachableReason(opened, ctx.target);
    ctx.run.onClose(() => opened.close());
    return opened;
  });
}

const SELF_TEST_MS = 3000;

/** Why no delivery can arrive, as far as the target file is the reason; null where one may. */
async function unreachableReason(inbox: WebhookReceiver, { baseUrl, webhooks }: Target): Promise<string | null> {
  const { listen = '127.0.0.1:0', publicUrl } = webhooks ?? {};
  if (publicUrl !== undefined) {
    const reached = await inbox.isReachable(SELF_TEST_MS);
    return reached
      ? null
      : `webhooks.publicUrl: nothing that is sent to ${publicUrl} arrives at ${listen}; correct the address or the tunnel behind it`;
  }
  if (isLoopback(baseUrl) || !isLoopbackHost(listen.replace(/:\d+$/, ''))) return null;
  return `webhooks.publicUrl: is missing, and ${new URL(baseUrl).host} cannot deliver to ${listen}; give the address under which the target reaches this machine`;
}

/** "Secret chosen by the caller": of a length and of characters that hardly any server minds. */
export function signingSecret(): string {
  return randomBytes(32).toString('hex');
}

/** A subscription with every declared field, changed as given. */
export async function subscribe(
  ctx: CheckContext,
  changes: Record<string, unknown>,
  extra: RequestOptions = {},
): Promise<ApiResponse> {
  const body = {
    eventTypes: ['PAYMENT_COMPLETED'],
    signingSecret: signingSecret(),
    ...changes,
  };
  const response = await postWebhook(ctx, body, extra);
  ctx.observe('webhook-create-answer', `${response.status}${response.text === '' ? ' without body' : ''}`);
  if (isSuccess(response)) recordAcceptedSubscription(ctx, String(changes.url), response, extra);
  return response;
}

function recordAcceptedSubscription(
  ctx: CheckContext,
  url: string,
  response: ApiResponse,
  extra: RequestOptions,
): void {
  const id = subscriptionId(response, url);
  const key = `${id ?? ctx.run.nextSerial()}, to ${url}`;
  // Credentials that should have been refused may be refused the next time.
  const as = extra.as?.actor ? extra.as : ctx.credentials('seller');
  recordSubscription(ctx.run, { key, url, id, credentials: as });
  const what = mayAffectProduction(extra) ? `${PRODUCTION_PREFIX}webhook subscription` : 'webhook subscription';
  ctx.run.recordCreated(key, what, NOT_REMOVED);
}

/** Not every server delivers to plain http or to this machine: then an address that can be subscribed, if not reached. */
export function externalUrl(ctx: CheckContext, path: string): string {
  return `https://example.com/${receiverPathSegment(ctx.run.plan.runId)}${path}`;
}

/**
 * The control of every refused subscription: a url for which this server accepts one, in this run.
 * Throws Blocked when it accepts none.
 */
export async function acceptedSubscriptionUrl(ctx: CheckContext): Promise<string> {
  return await ctx.run.memoize('accepted subscription', async () => {
    const here = (await webhookReceiver(ctx)).urlFor('/control');
    const first = await subscribe(ctx, { url: here });
    if (isSuccess(first)) return here;
    const there = externalUrl(ctx, '/control');
    const second = await subscribe(ctx, { url: there });
    if (isSuccess(second)) return there;
    throw blockedByRejection(ctx, second, 'HOOK-01.created', 'no subscription is accepted');
  });
}

/** Throws for a refused subscription to the kit's own receiver: Blocked when a public URL in the target file might be accepted. */
export function endWithRejectedReceiver(ctx: CheckContext, { status }: ApiResponse): never {
  const because = `a subscription to the kit's own receiver is refused (${status})`;
  const isAboutAddress = status === 400 || status === 422;
  if (!isAboutAddress || ctx.target.webhooks?.publicUrl !== undefined) return notApplicable(because);
  throw new Blocked(
    'webhooks.publicUrl of the target file',
    `${because}; set webhooks.publicUrl to a URL that the server accepts`,
  );
}

/** Throws Blocked where what was to be delivered has not arrived, and the target file or a tunnel that has ended may be the reason. */
export async function blockUnlessReceiverReachable(inbox: WebhookReceiver): Promise<void> {
  inbox.unreachableReason = await inbox.checkReachability();
  if (inbox.unreachableReason !== null) {
    throw new Blocked('webhooks.publicUrl of the target file', inbox.unreachableReason);
  }
}

/** What is delivered in one go arrives within so many milliseconds of the first. */
export const LATE_DELIVERY_MS = 300;

const POLL_INTERVAL_MS = 20;

/** A queue of deliveries that was at work so lately, in milliseconds, may have this one in it still. */
const ACTIVE_QUEUE_MS = 1500;
const MAX_QUEUE_MS = 25_000;
/** Whoever waits less than this does not wait for a queue. */
const MIN_QUEUE_WAIT_MS = 5000;

/**
 * Whether the wait for a delivery is over, so many milliseconds behind its end: nothing else was delivered for `receiverIdleMs`, or it was to be a
 * short one.
 */
export function isWaitOver(lateMs: number, idleMs: number, withinMs: number): boolean {
  if (lateMs < 0) return false;
  return withinMs < MIN_QUEUE_WAIT_MS || lateMs > MAX_QUEUE_MS || idleMs > ACTIVE_QUEUE_MS;
}

function receiverIdleMs({ deliveries }: WebhookReceiver): number {
  const last = deliveries.at(-1);
  return last ? Date.now() - last.at.getTime() : Number.POSITIVE_INFINITY;
}

/**
 * The deliveries to a path that hold what is looked for, once there are any, or none when the time has passed. A server that is slow at
 * delivering gets more of it, as long as it goes on with others.
 */
export async function waitForDeliveries(
  inbox: WebhookReceiver,
  path: string,
  withinMs: number,
  holds: (delivery: Delivery) => boolean = () => true,
): Promise<Delivery[]> {
  const end = performance.now() + withinMs;
  for (;;) {
    const arrived = inbox.deliveries.filter((delivery) => delivery.path === path && holds(delivery));
    if (arrived.length > 0) return arrived;
    if (isWaitOver(performance.now() - end, receiverIdleMs(inbox), withinMs)) {
      await blockUnlessReceiverReachable(inbox);
      return arrived;
    }
    await pause(POLL_INTERVAL_MS);
  }
}

/** Whether something that names the invoice is delivered to a path within so many milliseconds. */
export async function isAnnounced(
  inbox: WebhookReceiver,
  path: string,
  id: string,
  withinMs: number,
): Promise<boolean> {
  return (await waitForDeliveries(inbox, path, withinMs, ({ body }) => mentionsId(body, id))).length > 0;
}
