import type { Call } from '../../service/call.ts';
import { type Action, conflicts, transitions } from '../../service/lifecycle.ts';
import { refusals } from '../../service/refusal.ts';
import type { Invoice, Status } from '../../service/store.ts';

/** "An action not offered in the invoice's current state is rejected with 412 (INV004), or with 409 in the conflict case." */
export function transition(_call: Call, invoice: Invoice, action: Action): Status | 'DELETED' {
  const { from, to } = transitions[action];
  if (invoice.status === from) return to;
  throw conflicts[invoice.status]?.includes(action) ? refusals.actionConflict() : refusals.actionNotAllowed();
}
