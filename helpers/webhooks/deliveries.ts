import { createHmac } from 'node:crypto';
import type * as engine from '../../engine/http/webhook-receiver.ts';
import type { JsonValue } from '../../engine/model/json-value.ts';

export type Delivery = engine.Delivery;
export type WebhookReceiver = engine.WebhookReceiver;

const ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;

const ENCODINGS = ['hex', 'base64'] as const;

const SIGNATURE_HEADER = /sign|hmac|digest/;

/** Describes how a delivery is signed with the secret of the subscription. */
export function describeSignature({ headers, body }: Delivery, secret: string): string {
  for (const [name, value] of Object.entries(headers)) {
    for (const algorithm of ALGORITHMS) {
      for (const encoding of ENCODINGS) {
        const mark = createHmac(algorithm, secret).update(body).digest(encoding);
        if (value.includes(mark)) return `${name} holds the HMAC-${algorithm} of the body in ${encoding}`;
      }
    }
  }
  const named = Object.keys(headers).find((name) => SIGNATURE_HEADER.test(name));
  return named ? `${named} holds a signature of another scheme` : 'no header holds a signature';
}

/**
 * Summarises the deliveries of one payment to one subscription: how many, which headers, which signature. The number is unknown
 * if no delivery `names` the payment.
 */
export function summarizeDeliveries(
  deliveries: readonly Delivery[],
  secret: string,
  names: (delivery: Delivery) => boolean,
): JsonValue {
  const own = deliveries.filter(names);
  const [first] = own.length > 0 ? own : deliveries;
  if (!first) return 'none';
  const headers = Object.keys(first.headers).filter((name) => /sign|event|webhook|^x-/.test(name));
  return {
    deliveries: own.length === 0 ? 'unknown' : own.length === 1 ? 'one' : 'several',
    headers: headers.sort(),
    signature: describeSignature(first, secret),
  };
}

/** Whether a delivery mentions a booking event in any spelling, in its headers or body. */
export function isBookingDelivery(delivery: Delivery): boolean {
  return BOOKING_EVENT_TYPES.some((kind) => mentionsEventType(delivery, kind));
}

export const BOOKING_EVENT_TYPES = ['BOOKING_CREATED', 'BOOKING_UPDATED'] as const;

/** Whether a delivery names a booking event type that is not among the requested `kinds`. */
export function isUnrequestedBookingDelivery(delivery: Delivery, kinds: readonly string[]): boolean {
  return (
    BOOKING_EVENT_TYPES.some((other) => delivery.body.includes(`"${other}"`)) &&
    !kinds.some((kind) => mentionsEventType(delivery, kind))
  );
}

function mentionsEventType({ headers, body }: Delivery, kind: string): boolean {
  return new RegExp(kind.replace('_', '[^a-z]?'), 'i').test(`${JSON.stringify(headers)} ${body}`);
}

/** How long after the first delivery, in milliseconds, the delivery of a certain settlement may arrive. */
export const MAX_DELIVERY_DELAY_MS = 1500;
