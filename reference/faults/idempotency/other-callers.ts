import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { ServiceResponse } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

/** Looks up a response by the requestId alone, before any other check. */
function ofAnybody(route: string): RuleChange {
  return overrideRules((base) => {
    const responses = new Map<string, ServiceResponse>();
    return {
      replay: async (call, key, perform) => {
        if (call.route.name !== route || key === undefined) return base.replay(call, key, perform);
        const requestId = String(call.body.requestId);
        const response = responses.get(requestId) ?? (await base.replay(call, key, perform));
        responses.set(requestId, response);
        return response;
      },
    };
  });
}

export const idempotencyOtherCallersFaults: readonly Fault[] = [
  {
    id: 'idem-submit-foreign',
    requirement: 'IDEM-07',
    defect: 'Submissions are stored by requestId alone, which is looked up before the invoice.',
    caughtBy: ['IDEM-07.submission'],
    rules: ofAnybody('submit'),
  },
  {
    id: 'idem-balance-foreign',
    requirement: 'IDEM-07',
    defect: 'Balance requests are stored by requestId alone.',
    caughtBy: ['IDEM-07.balance'],
    rules: ofAnybody('balance'),
  },
  {
    id: 'idem-deleted-by-foreign',
    requirement: 'IDEM-07',
    defect: 'A rejected creation deletes the record of its requestId, even that of another caller.',
    caughtBy: ['IDEM-07.other-organization'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        try {
          return base.findConnection(call, input);
        } catch (refusal) {
          const { requestId } = input;
          for (const key of call.world.replays.keys())
            if (requestId && key.includes(requestId)) call.world.replays.delete(key);
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'idem-shared-by-organizations',
    requirement: 'IDEM-07',
    defect: 'The cache of requestIds is keyed without the organization.',
    caughtBy: ['IDEM-07.other-organization'],
    rules: overrideRules(() => ({
      replayKey: ({ environment, route }, requestId, subject) =>
        requestId === undefined ? undefined : JSON.stringify([environment, route.name, subject ?? null, requestId]),
    })),
  },
  {
    id: 'idem-withdrawal-shared-by-organizations',
    requirement: 'IDEM-07',
    defect: 'The treasury keeps requestIds without the organization.',
    caughtBy: ['IDEM-07.withdrawal'],
    rules: overrideRules((base) => ({
      replayKey: (call, requestId, subject) =>
        call.route.name === 'withdraw'
          ? requestId && JSON.stringify(['withdraw', requestId])
          : base.replayKey(call, requestId, subject),
    })),
  },
];
