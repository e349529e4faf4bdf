import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

interface UnofferedAction {
  defect: string;
  caughtBy: CheckId;
  action: InvoiceAction;
  when: (invoice: Invoice) => boolean;
}

/** A fault that accepts an action in a state that does not offer it, for some invoices. */
export function unofferedAction(id: string, { defect, caughtBy, action, when }: UnofferedAction): Fault {
  return {
    id,
    requirement: 'LIFE-02',
    defect,
    caughtBy: [caughtBy],
    rules: overrideRules((base) => ({
      transition: (call, invoice, asked) =>
        asked === action && when(invoice) ? transitions[action].to : base.transition(call, invoice, asked),
    })),
  };
}
