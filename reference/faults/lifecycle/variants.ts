import type { CheckId } from '../../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../../specs/lifecycle.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import { toCents } from '../../service/money.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { LARGE_SUM_CENTS } from '../support/environments.ts';

interface UnofferedAction {
  defect: string;
  caughtBy: CheckId;
  action: InvoiceAction;
  when: (invoice: Invoice) => boolean;
}

/** An action that invoices of one kind are let do in a state that does not offer it. */
function moves(id: string, { defect, caughtBy, action, when }: UnofferedAction): Fault {
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

export const lifecycleVariantsFaults: readonly Fault[] = [
  moves('life-small-approved-disputed', {
    defect: 'Below one unit, an approval is not stored in full: the APPROVED invoice can still be disputed.',
    caughtBy: 'LIFE-02.small',
    action: 'dispute',
    when: ({ status, amount }) => status === 'APPROVED' && toCents(amount) < 100n,
  }),
  moves('life-large-approved-cancelled', {
    defect: 'From 100,000, a second person must approve; until then, an APPROVED invoice can be cancelled.',
    caughtBy: 'LIFE-02.large',
    action: 'cancel',
    when: ({ status, amount }) => status === 'APPROVED' && toCents(amount) >= LARGE_SUM_CENTS,
  }),
  moves('life-settled-disputed-again', {
    defect: 'An invoice that was once disputed can be disputed again in any state.',
    caughtBy: 'LIFE-02.once-disputed',
    action: 'dispute',
    when: ({ notes }) => notes.length > 0,
  }),
];
