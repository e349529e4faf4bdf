import type * as engine from '../../engine/http/webhook-receiver.ts';
import type { JsonValue } from '../../engine/model/json-value.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import type { Breach } from '../../engine/model/outcomes.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { describeSignature } from './delivery-signature.ts';

export type Delivery = engine.Delivery;
export type WebhookReceiver = engine.WebhookReceiver;

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

/** Short enough that no report leaves out what follows the response. */
const MAX_RESPONSE_CHARACTERS = 80;

interface DeliveryFinding {
  expected: string;
  because: string;
  /** What followed the response. */
  later: 'a delivery' | 'no delivery';
  /** Further evidence. */
  others?: readonly ApiResponse[];
}

/** A breach that a delivery after the response shows, or its absence. `response`: to the request that the delivery depends on. */
export function deliveryBreach(
  ctx: CheckContext,
  response: ApiResponse,
  { expected, because, later, others = [] }: DeliveryFinding,
): Breach {
  const actual = `${describeResponse(response, MAX_RESPONSE_CHARACTERS)}, then ${later}`;
  return breach(ctx, response, expected, because, others).withActual(actual);
}
