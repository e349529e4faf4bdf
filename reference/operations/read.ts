import type { Call } from '../service/call.ts';
import type { ServiceResponse } from '../service/store.ts';

/** Reading one invoice: for its seller and its buyer. */
export function readInvoice(call: Call): ServiceResponse {
  const { rules, request } = call;
  return rules.renderRead(call, rules.findInvoice(call, request.params.id ?? ''));
}
