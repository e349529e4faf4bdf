import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Rules } from '../../service/rules.ts';

/** Every record that the service renders, wherever it appears, with one field changed. */
export function changeRenderedInvoice(change: (record: JsonObject) => JsonObject): RuleChange {
  return overrideRules((base) => ({
    renderInvoice: (invoice) => ({ ...base.renderInvoice(invoice), ...change(base.renderInvoice(invoice)) }),
  }));
}

export type JsonObject = Record<string, unknown>;

/** A settlement is a booking, too. */
export const withBookingEvents =
  (base: Rules): Rules['eventKinds'] =>
  (action) =>
    action === 'settle' ? [...base.eventKinds(action), 'BOOKING_CREATED'] : base.eventKinds(action);
