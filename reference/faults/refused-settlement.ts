import type { Call } from '../call.ts';
import type { Invoice } from '../store.ts';
import { replaced } from '../variations/replaced.ts';

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
