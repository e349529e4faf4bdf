import { replaced } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { Invoice } from '../../service/store.ts';

/** A settlement that is refused for want of funds leaves something behind. */
export const refusedSettlement = (leave: (call: Call, invoice: Invoice) => void) =>
  replaced((honest) => ({
    settle: (call, invoice) => {
      try {
        honest.settle(call, invoice);
      } catch (refusal) {
        leave(call, invoice);
        throw refusal;
      }
    },
  }));
