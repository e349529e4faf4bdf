import type { Call } from '../service/call.ts';
import type { Answer } from '../service/store.ts';

/** Reading one invoice: for its seller and its buyer. */
export function read(call: Call): Answer {
  const { rules, request } = call;
  return rules.renderRead(call, rules.findInvoice(call, request.params.id ?? ''));
}
