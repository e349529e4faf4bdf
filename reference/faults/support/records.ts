import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Rules } from '../../service/rules.ts';
import type { Invoice } from '../../service/store.ts';

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

/** Keeps deleted drafts by id. The fault decides what happens to them. */
export function keepDeleted(rules: (base: Rules, deleted: Map<string, Invoice>) => Partial<Rules>): RuleChange {
  return overrideRules((base) => {
    const deleted = new Map<string, Invoice>();
    return {
      changeInvoice: (call, invoice, next, input) => {
        if (next === 'DELETED') deleted.set(invoice.id, { ...invoice });
        base.changeInvoice(call, invoice, next, input);
      },
      ...rules(base, deleted),
    };
  });
}
