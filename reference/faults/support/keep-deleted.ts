import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Rules } from '../../service/rules.ts';
import type { Invoice } from '../../service/store.ts';

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
