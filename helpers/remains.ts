import type { InvoiceState } from '../specs/lifecycle.ts';

const REMOVABLE: Partial<Record<InvoiceState, string>> = { DRAFT: 'not deleted', SUBMITTED: 'not cancelled' };

/** Why an invoice that the kit has made stays behind in this state. */
export function remainsBecause(state: InvoiceState): string {
  return REMOVABLE[state] ?? 'no action removes an invoice in this state';
}
