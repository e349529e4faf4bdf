import { type InvoiceAction, lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

export const offeredActions = lifecycle.states.flatMap((state) =>
  lifecycle.offered[state].map((action) => ({ state, action })),
);

export function offeredCheckId({ state, action }: (typeof offeredActions)[number]): CheckId {
  return `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
}

/** The cells of the table in which an action is not offered, and the check that owns each. */
export const rejectedActions = lifecycle.states.flatMap((state) =>
  lifecycle.actions
    .filter((action) => !lifecycle.offered[state].includes(action))
    .map((action) => {
      const requirement = action === 'settle' && state !== 'SETTLED' ? 'LIFE-03' : 'LIFE-02';
      return { state, action, requirement, check: `${requirement}.${state.toLowerCase()}-${action}` as CheckId };
    }),
);

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
