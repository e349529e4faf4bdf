import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { pause } from '../../service/background.ts';
import type { Service } from '../../service/call.ts';
import type { ServiceEvent } from '../../service/inputs.ts';
import type { Subscription } from '../../service/store.ts';

const RETRY_DELAYS_MS = [50, 100, 200];
/** A settlement may concern many subscriptions. A connection for each would overload the receiver and the sender. */
const deliveryAgent = new Agent({
  connections: 8,
  // An abort ends only open connections. A connection that is being opened keeps the process alive.
  connect: { timeout: 500 },
  headersTimeout: 2_000,
  bodyTimeout: 2_000,
});

/** "Payload shape, signature scheme and header of delivery, retry: not shown": a signed POST, retried three times. */
export function deliver(service: Service, subscription: Subscription, event: ServiceEvent): void {
  const { rules, background } = service;
  const text = JSON.stringify(rules.renderEvent(service, event));
  const { url, signingSecret } = subscription;
  if (!URL.canParse(url) || isReservedHost(new URL(url))) return;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Webhook-Id': event.id,
    'X-Webhook-Event': event.kind,
    ...(signingSecret === undefined ? {} : { 'X-Webhook-Signature': rules.sign(signingSecret, text) }),
  };
  background.run(async () => {
    for (const delay of [0, ...RETRY_DELAYS_MS]) {
      if (delay > 0) await pause(delay, background.signal);
      if (await sendDelivery(url, headers, text, background.signal)) return;
    }
  });
}

/**
 * Names that RFC 2606 reserves for examples. They have no receiver, and lookups of them would delay other deliveries.
 */
function isReservedHost({ hostname }: URL): boolean {
  return /(^|\.)(example(\.(com|net|org))?|invalid|test)\.?$/.test(hostname);
}

/** The signature header: an HMAC of the body with the secret that the subscriber chose. */
export function sign(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

function sendDelivery(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    deliveryAgent.dispatch(
      { origin, path: `${pathname}${search}`, method: 'POST', headers, body },
      new DeliveryHandler(signal, resolve),
    );
  });
}

/** Whether the receiver accepted the delivery. */
class DeliveryHandler implements Dispatcher.DispatchHandler {
  private status = 0;
  private controller: Dispatcher.DispatchController | undefined;
  private readonly signal: AbortSignal;
  private readonly onReceived: (received: boolean) => void;

  constructor(signal: AbortSignal, given: (received: boolean) => void) {
    this.signal = signal;
    this.onReceived = given;
    signal.addEventListener('abort', this.abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal.aborted) this.abort();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.finish(this.status < 300);
  }

  onResponseError(): void {
    this.finish(false);
  }

  private readonly abort = (): void => {
    this.controller?.abort(new Error('the service has ended'));
    this.finish(false);
  };

  private finish(received: boolean): void {
    this.signal.removeEventListener('abort', this.abort);
    this.onReceived(received);
  }
}
