import { type RuleChange, replaced } from '../../overrides/override-rules.ts';
import type { Rules } from '../../service/rules.ts';
import type { Invoice } from '../../service/store.ts';

/** Deleted drafts stay at hand, by their ids: what comes of them is the fault's. */
export function withDeleted(rules: (honest: Rules, deleted: Map<string, Invoice>) => Partial<Rules>): RuleChange {
  return replaced((honest) => {
    const deleted = new Map<string, Invoice>();
    return {
      change: (call, invoice, next, input) => {
        if (next === 'DELETED') deleted.set(invoice.id, { ...invoice });
        honest.change(call, invoice, next, input);
      },
      ...rules(honest, deleted),
    };
  });
}
