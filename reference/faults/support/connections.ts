import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { CreateInput } from '../../service/inputs.ts';
import type { Connection } from '../../service/store.ts';

/** A connection that does not exist. */
export const placeholderConnection = (...organizationIds: [string, string]): Connection => ({
  id: 'none',
  organizationIds,
  status: 'ACTIVE',
});

/**
 * Writes an invoice although the creation is rejected because of its connection: the one that `made` returns, null for
 * none.
 */
export const writeDespiteRejection = (
  made: (call: Call, input: CreateInput, refusal: unknown) => CreateInput | null,
): RuleChange =>
  overrideRules((base) => ({
    findConnection: (call, input) => {
      try {
        return base.findConnection(call, input);
      } catch (refusal) {
        const written = made(call, input, refusal);
        if (written)
          base.issueInvoice(
            call,
            written,
            base.nextInvoiceNumber(call, placeholderConnection(input.sellerId, input.buyerId)),
          );
        throw refusal;
      }
    },
  }));
