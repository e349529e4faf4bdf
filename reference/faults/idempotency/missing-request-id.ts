import { overrideRules } from '../../overrides/override-rules.ts';
import type { Withdrawal } from '../../service/inputs.ts';
import type { Fault } from '../fault.ts';
import { changeReplayKey } from '../support/replays.ts';

export const idempotencyWithoutRequestIdFaults: readonly Fault[] = [
  {
    id: 'idem-equal-withdrawals-merged',
    requirement: 'IDEM-08',
    defect: 'A withdrawal equal to the previous one is taken for a double click and reported as paid.',
    caughtBy: ['IDEM-08.withdraw-no-request-id'],
    rules: overrideRules((base) => {
      const last = new Map<string, { amount: string; made: Withdrawal }>();
      return {
        withdraw: (call, input) => {
          const before = last.get(call.organizationId);
          if (before?.amount === input.amount && call.body.requestId === undefined) return before.made;
          const made = base.withdraw(call, input);
          last.set(call.organizationId, { amount: input.amount, made });
          return made;
        },
      };
    }),
  },
  {
    id: 'idem-equal-bodies',
    requirement: 'IDEM-08',
    defect: 'Without a requestId a hash of the body takes its place: equal invoices are merged.',
    caughtBy: ['IDEM-08.no-request-id'],
    rules: changeReplayKey('create', (requestId, { body }) => requestId ?? JSON.stringify(body)),
  },
  {
    id: 'idem-submit-always',
    requirement: 'IDEM-08',
    defect: 'A second submission is taken for a replay, with or without a requestId.',
    caughtBy: ['IDEM-08.submit-no-request-id', 'LIFE-02.submitted-submit'],
    rules: changeReplayKey('submit', (_requestId, _call, subject) => `submission of ${subject}`),
  },
];
