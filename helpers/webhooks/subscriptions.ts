import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, Receiver, receiverMark } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { isLoopback, isLoopbackHost } from '../../engine/target/loopback.ts';
import type { Target } from '../../specs/target.ts';
import { type Extra, mayBeInProduction, postWebhook } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { blockedByRefusal, notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { IN_PRODUCTION } from '../context/leftover-reason.ts';
import { noteSubscription, subscriptionId } from '../context/made-subscriptions.ts';
import { mentions } from '../data/id-mention.ts';
import { NOT_REMOVED } from './subscription-removal.ts';

/** The receiver of the run: one for all subscriptions, told apart by their paths. */
export async function receiver(lab: Lab): Promise<Receiver> {
  return await lab.run.once('webhook receiver', async () => {
    const { listen, publicUrl } = lab.target.webhooks ?? { listen: '127.0.0.1:0', publicUrl: undefined };
    const opened = await Receiver.open(listen, publicUrl, receiverMark(lab.run.plan.runId));
    opened.unreachable = await whyUnreachable(opened, lab.target);
    if (publicUrl !== undefined) opened.examine = () => whyUnreachable(opened, lab.target);
    lab.run.atEnd(() => opened.close());
    return opened;
  });
}

const SELF_TEST_MS = 3000;

/** Why no delivery can arrive, as far as the target file is the reason; null where one may. */
async function whyUnreachable(inbox: Receiver, { baseUrl, webhooks }: Target): Promise<string | null> {
  const { listen = '127.0.0.1:0', publicUrl } = webhooks ?? {};
  if (publicUrl !== undefined) {
    const reached = await inbox.receivesItself(SELF_TEST_MS);
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
export async function subscribe(lab: Lab, changes: Record<string, unknown>, extra: Extra = {}): Promise<ApiResponse> {
  const body = {
    eventTypes: ['PAYMENT_COMPLETED'],
    signingSecret: signingSecret(),
    ...changes,
  };
  const answer = await postWebhook(lab, body, extra);
  lab.observe('webhook-create-answer', `${answer.status}${answer.text === '' ? ' without body' : ''}`);
  if (isSuccess(answer)) note(lab, String(changes.url), answer, extra);
  return answer;
}

function note(lab: Lab, url: string, answer: ApiResponse, extra: Extra): void {
  const id = subscriptionId(answer, url);
  const key = `${id ?? lab.run.serial()}, to ${url}`;
  // Credentials that should have been refused may be refused the next time.
  const as = extra.as?.actor ? extra.as : lab.who('seller');
  noteSubscription(lab.run, { key, url, id, as });
  const what = mayBeInProduction(extra) ? `${IN_PRODUCTION}webhook subscription` : 'webhook subscription';
  lab.run.leave(key, what, NOT_REMOVED);
}

/** Not every server delivers to plain http or to this machine: then an address that can be subscribed, if not reached. */
export function elsewhere(lab: Lab, path: string): string {
  return `https://example.com/${receiverMark(lab.run.plan.runId)}${path}`;
}

/**
 * The control of every refused subscription: a url for which this server accepts one, in this run.
 * Throws Blocked when it accepts none.
 */
export async function acceptedSubscription(lab: Lab): Promise<string> {
  return await lab.run.once('accepted subscription', async () => {
    const here = (await receiver(lab)).urlFor('/control');
    const first = await subscribe(lab, { url: here });
    if (isSuccess(first)) return here;
    const there = elsewhere(lab, '/control');
    const second = await subscribe(lab, { url: there });
    if (isSuccess(second)) return there;
    throw blockedByRefusal(lab, second, 'HOOK-01.created', 'no subscription is accepted');
  });
}

/** Throws for a refused subscription to the kit's own receiver: Blocked when a public URL in the target file might be accepted. */
export function receiverRefused(lab: Lab, { status }: ApiResponse): never {
  const because = `a subscription to the kit's own receiver is refused (${status})`;
  const isAboutAddress = status === 400 || status === 422;
  if (!isAboutAddress || lab.target.webhooks?.publicUrl !== undefined) return notApplicable(because);
  throw new Blocked(
    'webhooks.publicUrl of the target file',
    `${because}; set webhooks.publicUrl to a URL that the server accepts`,
  );
}

/** Throws Blocked where what was to be delivered has not arrived, and the target file or a tunnel that has ended may be the reason. */
export async function expectReachable(inbox: Receiver): Promise<void> {
  inbox.unreachable = await inbox.examine();
  if (inbox.unreachable !== null) {
    throw new Blocked('webhooks.publicUrl of the target file', inbox.unreachable);
  }
}

/** What is delivered in one go arrives within so many milliseconds of the first. */
export const STRAGGLERS_MS = 300;

const LOOK_EVERY_MS = 20;

/** A queue of deliveries that was at work so lately, in milliseconds, may have this one in it still. */
const AT_WORK_MS = 1500;
const LONGEST_QUEUE_MS = 25_000;
/** Whoever waits less than this does not wait for a queue. */
const LEAST_PATIENCE_MS = 5000;

/**
 * Whether the wait for a delivery is over, so many milliseconds behind its end: nothing else was delivered for `idleMs`, or it was to be a
 * short one.
 */
export function isWaitOver(lateMs: number, idleMs: number, withinMs: number): boolean {
  if (lateMs < 0) return false;
  return withinMs < LEAST_PATIENCE_MS || lateMs > LONGEST_QUEUE_MS || idleMs > AT_WORK_MS;
}

function idleMs({ deliveries }: Receiver): number {
  const last = deliveries.at(-1);
  return last ? Date.now() - last.at.getTime() : Number.POSITIVE_INFINITY;
}

/**
 * The deliveries to a path that hold what is looked for, once there are any, or none when the time has passed. A server that is slow at
 * delivering gets more of it, as long as it goes on with others.
 */
export async function deliveriesTo(
  inbox: Receiver,
  path: string,
  withinMs: number,
  holds: (delivery: Delivery) => boolean = () => true,
): Promise<Delivery[]> {
  const end = performance.now() + withinMs;
  for (;;) {
    const arrived = inbox.deliveries.filter((delivery) => delivery.path === path && holds(delivery));
    if (arrived.length > 0) return arrived;
    if (isWaitOver(performance.now() - end, idleMs(inbox), withinMs)) {
      await expectReachable(inbox);
      return arrived;
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Whether something that names the invoice is delivered to a path within so many milliseconds. */
export async function isAnnounced(inbox: Receiver, path: string, id: string, withinMs: number): Promise<boolean> {
  return (await deliveriesTo(inbox, path, withinMs, ({ body }) => mentions(body, id))).length > 0;
}
