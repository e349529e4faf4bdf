import type { Call } from '../service/call.ts';
import type { ServiceResponse } from '../service/store.ts';

/** "List invoices: the caller sees its own organization's invoices." */
export function listInvoices(call: Call): ServiceResponse {
  const { rules } = call;
  const query = rules.validateQuery(call);
  const sorted = rules.sort(call, rules.visibleInvoices(call), query);
  return rules.renderList(call, rules.page(call, sorted, query));
}
