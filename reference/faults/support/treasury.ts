import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { Invoice } from '../../service/store.ts';

/** A settlement that is rejected for insufficient funds changes data. */
export const onRejectedSettlement = (leave: (call: Call, invoice: Invoice) => void) =>
  overrideRules((base) => ({
    settle: (call, invoice) => {
      try {
        base.settle(call, invoice);
      } catch (refusal) {
        leave(call, invoice);
        throw refusal;
      }
    },
  }));

/** As a GET, the balance may be requested with a production key in every run. */
export const bindBalanceToGet = (target: BoundTargetInput): BoundTargetInput => ({
  ...target,
  operations: { ...target.operations, treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' } },
});
