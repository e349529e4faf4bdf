import type { Redactor } from '../../engine/evidence/redactor.ts';
import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import { shorten } from '../../engine/model/messages.ts';
import type { CheckContext } from '../context/check.ts';

const MAX_SHOWN_CHARACTERS = 120;
const PAYMENT_EVENT = 'PAYMENT_COMPLETED';

/**
 * Why no delivery at the path is one about a settled invoice: what arrived there and what it lacks, or `nothing`. The contract does
 * not show the payload, so such a delivery breaks nothing.
 */
export function unrecognizedReason(
  { run }: CheckContext,
  { deliveries }: WebhookReceiver,
  path: string,
  { nothing, isAbout }: { nothing: string; isAbout?: (delivery: Delivery) => boolean },
): string {
  const arrived = deliveries.filter((delivery) => delivery.path === path);
  const about = isAbout && arrived.find(isAbout);
  const shown = about ?? arrived[0];
  if (!shown) return nothing;
  const [what, subject, verb] =
    arrived.length === 1
      ? ['a delivery', 'it', 'does not name']
      : [`${arrived.length} deliveries`, 'they', 'do not name'];
  const lacks = about
    ? `one names the settled invoice, but not ${PAYMENT_EVENT}`
    : `${subject} ${verb} the settled invoice, by its id or by its number and amount`;
  return `${what} arrived, but the kit cannot tell for which payment: ${lacks} (${describeDelivery(run.redactor, shown)})`;
}

function describeDelivery(redactor: Redactor, { headers, body }: Delivery): string {
  const type = headers['content-type'] ?? 'without Content-Type';
  return body === '' ? `${type}, without a body` : `${type}: ${shorten(redactor.mask(body), MAX_SHOWN_CHARACTERS)}`;
}
