import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { Invoice } from '../../service/store.ts';

/** A settlement that is refused for want of funds leaves something behind. */
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
