import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import type { SubscriptionInput } from '../../service/inputs.ts';
import { rejections } from '../../service/rejection.ts';
import { parseOrReject } from './fields.ts';

/** "The complete list of event kinds is not shown": the shown ones, and one of this service for invoice approval. */
const eventKind = z.enum(['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED', 'INVOICE_APPROVED']);

const subscriptionBody = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  eventTypes: z.array(eventKind).min(1, 'must name at least one event kind'),
  signingSecret: z.string().min(1, 'must not be empty').optional(),
});

/** The create fields of a webhook subscription: `url`, `eventTypes`, `signingSecret`. */
export function validateSubscription({ body }: Call): SubscriptionInput {
  return parseOrReject(subscriptionBody, body, rejections.invalidRequest);
}
