import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, receiverPathSegment, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import { PRODUCTION_PREFIX } from '../../engine/ledger/leftovers.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { isLoopback, isLoopbackHost } from '../../engine/target/network/loopback.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { postWebhook } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { describeResponse, isSuccess } from '../api/responses.ts';
import { mayAffectProduction } from '../api/treasury-requests.ts';
import { blockedByRejection, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { recordSubscription, type SubscriptionLifetime, subscriptionId } from '../context/created-subscriptions.ts';
import { sharedResult } from '../context/shared-result.ts';
import { ifReachable } from '../invoices/invoices.ts';
import { mentionOf } from './invoice-mention.ts';
import { NOT_REMOVED, postWithinLimit } from './subscription-removal.ts';

/** The one webhook receiver of the run. Each subscription has its own path. */
export const webhookReceiver = sharedResult(async (ctx): Promise<WebhookReceiver> => {
  const { listen, publicUrl } = ctx.target.webhooks ?? { listen: '127.0.0.1:0', publicUrl: undefined };
  const opened = await WebhookReceiver.open(listen, publicUrl, receiverPathSegment(ctx.run.plan.runId));
  opened.unreachableReason = await unreachableReason(opened, ctx.target);
  if (publicUrl !== undefined) opened.checkReachability = () => unreachableReason(opened, ctx.target);
  ctx.run.onClose(() => opened.close());
  return opened;
});

const SELF_TEST_MS = 3000;

/** Why the target file prevents every delivery; null if deliveries can arrive. */
async function unreachableReason(inbox: WebhookReceiver, { baseUrl, webhooks }: Target): Promise<string | null> {
  const { listen = '127.0.0.1:0', publicUrl } = webhooks ?? {};
  if (publicUrl !== undefined) {
    const reached = await inbox.isReachable(SELF_TEST_MS);
    return reached
      ? null
      : `webhooks.publicUrl: a request to ${publicUrl} does not arrive at ${listen}; correct the address or the tunnel behind it`;
  }
  if (isLoopback(baseUrl) || !isLoopbackHost(listen.replace(/:\d+$/, ''))) return null;
  return `webhooks.publicUrl: missing, and ${new URL(baseUrl).host} cannot deliver to ${listen}; give the address under which the target reaches this machine`;
}

/** "Secret chosen by the caller": with a length and characters that almost every server accepts. */
export function signingSecret(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Sends a valid subscription with every declared field and the given changes, and records it for clean-up if it is accepted. A server
 * with a maximum number of subscriptions gets it after the removal of those whose `lifetime` has ended.
 */
export async function subscribe(
  ctx: CheckContext,
  changes: Record<string, unknown>,
  extra: RequestOptions = {},
  lifetime: SubscriptionLifetime = 'check',
): Promise<ApiResponse> {
  const response = await postWithinLimit(ctx, subscriptionBody(changes), extra);
  recordSubscriptionResponse(ctx, changes, response, extra, lifetime);
  return response;
}

/** As `subscribe`, but sends it once and removes no other one. For a subscription that the server should reject for another reason. */
export async function trySubscription(
  ctx: CheckContext,
  changes: Record<string, unknown>,
  extra: RequestOptions = {},
): Promise<ApiResponse> {
  const response = await postWebhook(ctx, subscriptionBody(changes), extra);
  recordSubscriptionResponse(ctx, changes, response, extra, 'check');
  return response;
}

/** As `trySubscription`, with a defect in the JSON text of the body. */
export async function trySubscriptionText(
  ctx: CheckContext,
  changes: Record<string, unknown>,
  addDefect: (text: string) => string,
): Promise<ApiResponse> {
  const response = await postWebhook(ctx, addDefect(JSON.stringify(subscriptionBody(changes))));
  recordSubscriptionResponse(ctx, changes, response, {}, 'check');
  return response;
}

function subscriptionBody(changes: Record<string, unknown>): Record<string, unknown> {
  return { eventTypes: ['PAYMENT_COMPLETED'], signingSecret: signingSecret(), ...changes };
}

function recordSubscriptionResponse(
  ctx: CheckContext,
  changes: Record<string, unknown>,
  response: ApiResponse,
  extra: RequestOptions,
  lifetime: SubscriptionLifetime,
): void {
  ctx.observe('webhook-create-response', `${response.status}${response.text === '' ? ' without body' : ''}`);
  if (isSuccess(response)) recordAcceptedSubscription(ctx, String(changes.url), response, extra, lifetime);
}

function recordAcceptedSubscription(
  ctx: CheckContext,
  url: string,
  response: ApiResponse,
  extra: RequestOptions,
  lifetime: SubscriptionLifetime,
): void {
  const id = subscriptionId(response, url);
  const key = `${id ?? ctx.run.nextSerial()}, to ${url}`;
  // Invalid credentials may be rejected at the removal.
  const as = extra.as?.actor ? extra.as : ctx.credentials('seller');
  recordSubscription(ctx.run, { key, url, id, credentials: as, lifetime, execution: ctx.execution });
  const what = mayAffectProduction(extra) ? `${PRODUCTION_PREFIX}webhook subscription` : 'webhook subscription';
  ctx.run.leftovers.recordCreated(key, what, NOT_REMOVED);
}

/** A URL that a server accepts but that receives nothing, because some servers reject plain http or private addresses. */
export function externalUrl(ctx: CheckContext, path: string): string {
  return `https://example.com/${receiverPathSegment(ctx.run.plan.runId)}${path}`;
}

function controlUrl(inbox: WebhookReceiver): string {
  return inbox.urlFor('/control');
}

/** The control of every rejected subscription: a URL that the server accepts in this run. Throws Blocked when it accepts none. */
export const acceptedSubscriptionUrl = sharedResult(async (ctx): Promise<string> => {
  const here = controlUrl(await webhookReceiver(ctx));
  const first = await subscribe(ctx, { url: here }, {}, 'creation');
  if (isSuccess(first)) return here;
  const there = externalUrl(ctx, '/control');
  const second = await subscribe(ctx, { url: there }, {}, 'creation');
  if (isSuccess(second)) return there;
  throw blockedByRejection(ctx, second, 'HOOK-01.created', 'the server accepts no subscription');
});

/**
 * For a check with a subscription to the kit's own receiver. If it was rejected, throws Blocked if another webhooks.publicUrl may help,
 * otherwise NotApplicable. `what` describes a subscription that differs from the usual one.
 */
export async function skipUnlessReceiverAccepted(
  ctx: CheckContext,
  response: ApiResponse,
  what = "a subscription to the kit's own receiver",
): Promise<void> {
  if (isSuccess(response)) return;
  await blockIfAddressRejected(ctx, response);
  notApplicable(`the server rejects ${what}: ${describeResponse(response)}`);
}

async function blockIfAddressRejected(ctx: CheckContext, response: ApiResponse): Promise<void> {
  if (!(await isAddressRejected(ctx, response))) return;
  throw new Blocked(
    'webhooks.publicUrl of the target file',
    `the server rejects a subscription to the kit's own receiver: ${describeResponse(response)}; set webhooks.publicUrl to a URL that the server accepts`,
  );
}

/** Whether the address of the kit's receiver may be the reason for a rejection. */
async function isAddressRejected(ctx: CheckContext, { status }: ApiResponse): Promise<boolean> {
  if ((status !== 400 && status !== 422) || ctx.target.webhooks?.publicUrl !== undefined) return false;
  const [accepted] = await ifReachable(() => acceptedSubscriptionUrl(ctx));
  return accepted !== controlUrl(await webhookReceiver(ctx));
}

/** Throws Blocked if a missing delivery may be caused by the target file or by a tunnel that has ended. */
export async function blockUnlessReceiverReachable(inbox: WebhookReceiver): Promise<void> {
  inbox.unreachableReason = await inbox.checkReachability();
  if (inbox.unreachableReason !== null) {
    throw new Blocked('webhooks.publicUrl of the target file', inbox.unreachableReason);
  }
}

/** How long after the first delivery, in milliseconds, deliveries of the same event may arrive. */
export const LATE_DELIVERY_MS = 300;

const POLL_INTERVAL_MS = 20;

/** A delivery queue that was active within this time, in milliseconds, may still hold the expected delivery. */
const ACTIVE_QUEUE_MS = 1500;
const MAX_QUEUE_MS = 120_000;
/** Shorter waits, in milliseconds, do not wait for a queue. */
const MIN_QUEUE_WAIT_MS = 5000;

/** The contract gives no time limit for a delivery. */
export const LATE_DELIVERY_ADVICE = 'if deliveries may take longer, increase limits.settleWithinMs';

/** How long to wait for a delivery, in milliseconds: it may be behind those of all other settlements and subscriptions of the run. */
export function announcementTimeoutMs(ctx: CheckContext): number {
  return Math.max(MIN_QUEUE_WAIT_MS, ctx.target.limits.settleWithinMs);
}

/**
 * Whether the wait for a delivery is over, `lateMs` after its deadline: the queue is idle, the limit is reached, or the wait
 * was short. All times in milliseconds.
 */
export function isWaitOver(lateMs: number, idleMs: number, withinMs: number): boolean {
  if (lateMs < 0) return false;
  return withinMs < MIN_QUEUE_WAIT_MS || lateMs > MAX_QUEUE_MS || idleMs > ACTIVE_QUEUE_MS;
}

/**
 * Returns a function that says for how many milliseconds no delivery has arrived. A busy machine may keep the kit from receiving one,
 * so a long time between two calls counts as a short one.
 */
export function quietTime({ deliveries }: WebhookReceiver): () => number {
  let quietMs = 0;
  let known = deliveries.length;
  let last = performance.now();
  return () => {
    const now = performance.now();
    quietMs = deliveries.length > known ? 0 : quietMs + Math.min(now - last, 2 * POLL_INTERVAL_MS);
    known = deliveries.length;
    last = now;
    return quietMs;
  };
}

/**
 * The matching deliveries as soon as there are any, or none after `withinMs` milliseconds. Waits longer while other deliveries still
 * arrive. Throws Blocked if the receiver is unreachable.
 */
export async function waitForMatchingDeliveries(
  inbox: WebhookReceiver,
  withinMs: number,
  holds: (delivery: Delivery) => boolean,
): Promise<Delivery[]> {
  const end = performance.now() + withinMs;
  const quietMs = quietTime(inbox);
  for (;;) {
    const arrived = inbox.deliveries.filter(holds);
    if (arrived.length > 0) return arrived;
    if (isWaitOver(performance.now() - end, quietMs(), withinMs)) {
      await blockUnlessReceiverReachable(inbox);
      return arrived;
    }
    await pause(POLL_INTERVAL_MS);
  }
}

/** A delivery that must not be sent; undefined if none arrives in time. The check changes nothing afterwards. */
export async function findUnwantedDelivery(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  path: string,
  withinMs: number,
  holds: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  ctx.execution.allowLatePhase();
  const [unwanted] = await waitForDeliveries(inbox, path, withinMs, holds);
  return unwanted;
}

/** Like `waitForMatchingDeliveries`, of the deliveries to one path. */
export async function waitForDeliveries(
  inbox: WebhookReceiver,
  path: string,
  withinMs: number,
  holds: (delivery: Delivery) => boolean = () => true,
): Promise<Delivery[]> {
  return await waitForMatchingDeliveries(inbox, withinMs, (delivery) => delivery.path === path && holds(delivery));
}

/** Whether a delivery that names the invoice arrives at the path within `withinMs` milliseconds. */
export async function isAnnounced(
  ctx: CheckContext,
  id: string,
  { inbox, path, withinMs }: { inbox: WebhookReceiver; path: string; withinMs: number },
): Promise<boolean> {
  return (await waitForDeliveries(inbox, path, withinMs, await mentionOf(ctx, id))).length > 0;
}
