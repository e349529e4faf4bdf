import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { InvoicePage } from '../../service/inputs.ts';

/** Changes members of a list page after it is built. */
export function rewritePage(change: (page: InvoicePage, call: Call) => Partial<InvoicePage>): RuleChange {
  return overrideRules((base) => ({
    page: (call, invoices, query) => {
      const page = base.page(call, invoices, query);
      return { ...page, ...change(page, call) };
    },
  }));
}
