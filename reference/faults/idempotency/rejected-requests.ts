import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

/** Repeats a rejection for the same requestId, even for another request. */
function remembering<Rest extends unknown[], Result>(
  rule: (call: Call, ...rest: Rest) => Result,
): (call: Call, ...rest: Rest) => Result {
  const refused = new Map<unknown, unknown>();
  return (call, ...rest) => {
    const { requestId } = call.body;
    if (requestId !== undefined && refused.has(requestId)) throw refused.get(requestId);
    try {
      return rule(call, ...rest);
    } catch (refusal) {
      refused.set(requestId, refusal);
      throw refusal;
    }
  };
}

export const idempotencyAfterRejectionFaults: readonly Fault[] = [
  {
    id: 'idem-rejection-remembered',
    requirement: 'IDEM-12',
    defect: 'A rejected request uses up its requestId, and the corrected request is a conflict.',
    caughtBy: ['IDEM-12.after-rejection'],
    rules: overrideRules((base) => {
      const used = new Set<unknown>();
      return {
        validateCreate: (call) => {
          const { requestId } = call.body;
          if (requestId !== undefined && used.has(requestId)) throw rejections.actionConflict();
          try {
            return base.validateCreate(call);
          } catch (refusal) {
            used.add(requestId);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'idem-rejected-connection-remembered',
    requirement: 'IDEM-12',
    defect: 'A rejection by the connection service is stored like a success, and the corrected request gets it again.',
    caughtBy: ['IDEM-12.unconnected'],
    rules: overrideRules((base) => ({ findConnection: remembering(base.findConnection) })),
  },
  {
    id: 'idem-rejected-submission-remembered',
    requirement: 'IDEM-12',
    defect: 'A rejected submission uses up its requestId, even for another invoice.',
    caughtBy: ['IDEM-12.submission'],
    rules: overrideRules((base) => ({ transition: remembering(base.transition) })),
  },
  {
    id: 'idem-rejected-withdrawal-remembered',
    requirement: 'IDEM-12',
    defect: 'A rejection for insufficient funds is stored like a success, and a smaller withdrawal gets it again.',
    caughtBy: ['IDEM-12.withdrawal'],
    rules: overrideRules((base) => ({ withdraw: remembering(base.withdraw) })),
  },
];
