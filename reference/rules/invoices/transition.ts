import type { Call } from '../../service/call.ts';
import { type Action, conflictingActions, transitions } from '../../service/lifecycle.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice, InvoiceStatus } from '../../service/store.ts';

/** "An action not offered in the invoice's current state is rejected with 412 (INV004), or with 409 in the conflict case." */
export function transition(_call: Call, invoice: Invoice, action: Action): InvoiceStatus | 'DELETED' {
  const { from, to } = transitions[action];
  if (invoice.status === from) return to;
  throw conflictingActions[invoice.status]?.includes(action)
    ? rejections.actionConflict()
    : rejections.actionNotAllowed();
}
