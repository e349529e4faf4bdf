import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { pause } from '../background.ts';
import type { Service } from '../call.ts';
import type { ServiceEvent } from '../inputs.ts';
import type { Subscription } from '../store.ts';

const RETRY_DELAYS = [50, 100, 200];
/** A settlement may be news to a score of subscriptions: a connection for each would drown a receiver, and the sender. */
const courier = new Agent({
  connections: 8,
  // An abort only ends connections that are there: one that is being made keeps the process alive.
  connect: { timeout: 500 },
  headersTimeout: 2_000,
  bodyTimeout: 2_000,
});

/** "Payload shape, signature scheme and header of delivery, retry: not shown": a signed POST, retried three times. */
export function deliver(service: Service, subscription: Subscription, event: ServiceEvent): void {
  const { rules, background } = service;
  const text = JSON.stringify(rules.renderEvent(service, event));
  const { url, signingSecret } = subscription;
  if (!URL.canParse(url) || isNobodys(new URL(url))) return;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Webhook-Id': event.id,
    'X-Webhook-Event': event.kind,
    ...(signingSecret === undefined ? {} : { 'X-Webhook-Signature': rules.sign(signingSecret, text) }),
  };
  background.run(async () => {
    for (const delay of [0, ...RETRY_DELAYS]) {
      if (delay > 0) await pause(delay, background.signal);
      if (await post(url, headers, text, background.signal)) return;
    }
  });
}

/** Names that RFC 2606 keeps for examples: no receiver is there, and looking each of them up takes the place of what has one. */
function isNobodys({ hostname }: URL): boolean {
  return /(^|\.)(example(\.(com|net|org))?|invalid|test)\.?$/.test(hostname);
}

/** The signature header: an HMAC of the body with the secret that the subscriber chose. */
export function sign(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: courier });
    await answer.body.dump();
    return answer.statusCode < 300;
  } catch {
    return false;
  }
}
