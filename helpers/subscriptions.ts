import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, describe, memberOf } from '../engine/answer.ts';
import { Blocked } from '../engine/outcome.ts';
import { type Delivery, Receiver } from '../engine/receiver.ts';
import { accepted } from './accepted.ts';
import type { Lab } from './lab.ts';
import { type Extra, postWebhook } from './operations.ts';

/** The receiver of the run: one for all subscriptions, told apart by their paths. */
export async function receiver(lab: Lab): Promise<Receiver> {
  return await lab.run.once('webhook receiver', async () => {
    const { listen, publicUrl } = lab.target.webhooks ?? { listen: '127.0.0.1:0', publicUrl: undefined };
    const opened = await Receiver.open(listen, publicUrl);
    lab.run.atEnd(() => opened.close());
    return opened;
  });
}

/** "Secret chosen by the caller": of a length and of characters that hardly any server minds. */
export function signingSecret(): string {
  return randomBytes(32).toString('hex');
}

/** A subscription with every declared field, changed as given. */
export async function subscribe(lab: Lab, changes: Record<string, unknown>, extra: Extra = {}): Promise<Answer> {
  const body = {
    eventTypes: ['PAYMENT_COMPLETED'],
    signingSecret: signingSecret(),
    ...changes,
  };
  const answer = await postWebhook(lab, body, extra);
  lab.observe('webhook-create-answer', `${answer.status}${answer.text === '' ? ' without body' : ''}`);
  if (accepted(answer)) {
    const id = memberOf(answer, 'id');
    lab.run.leave(
      `${typeof id === 'string' ? id : lab.run.serial()}, to ${String(changes.url)}`,
      'webhook subscription',
      'the contract shows no operation that removes one',
    );
  }
  return answer;
}

/** Not every server delivers to plain http or to this machine: then an address that can be subscribed, if not reached. */
export const ELSEWHERE = 'https://example.com';

/**
 * The control of every refused subscription: a url for which this server accepts one, in this run.
 * Throws Blocked when it accepts none.
 */
export async function acceptedSubscription(lab: Lab): Promise<string> {
  return await lab.run.once('accepted subscription', async () => {
    const here = (await receiver(lab)).urlFor('/control');
    const first = await subscribe(lab, { url: here });
    if (accepted(first)) return here;
    const second = await subscribe(lab, { url: `${ELSEWHERE}/control` });
    if (accepted(second)) return `${ELSEWHERE}/control`;
    throw new Blocked('HOOK-01.created', `no subscription is accepted: ${describe(second)}`);
  });
}

/** What is delivered in one go arrives within so many milliseconds of the first. */
export const STRAGGLERS_MS = 300;

const LOOK_EVERY_MS = 20;

/** The deliveries to a path that hold what is looked for, once there are any, or none when the time has passed. */
export async function deliveriesTo(
  inbox: Receiver,
  path: string,
  withinMs: number,
  holds: (delivery: Delivery) => boolean = () => true,
): Promise<Delivery[]> {
  const end = performance.now() + withinMs;
  for (;;) {
    const arrived = inbox.deliveries.filter((delivery) => delivery.path === path && holds(delivery));
    if (arrived.length > 0 || performance.now() >= end) return arrived;
    await pause(LOOK_EVERY_MS);
  }
}
