import { setTimeout as pause } from 'node:timers/promises';
import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import type { CreateInput } from '../service/inputs.ts';
import { RejectionError, rejections } from '../service/rejection.ts';

const FIVE_MINUTES_MS = 300_000;
const UNDER_WAY_MS = 15;

const textOf = (requestId: unknown) => (typeof requestId === 'string' ? requestId : undefined);

function expectForm(requestId: unknown): void {
  const text = textOf(requestId);
  const odd = text !== undefined && !/^[\x21-\x7e]{1,64}$/.test(text);
  if (odd) throw rejections.invalidRequest('requestId: at most 64 printable characters without blanks');
}

/** Other ways to store, compare and interpret requestIds. */
export const idempotencyVariations: readonly Variation[] = [
  {
    id: 'replay-under-way-409',
    openPoint: 'OP-96',
    choice: '409',
    rules: overrideRules((base) => ({
      replay: async (call, key, perform) => {
        if (key === undefined) return await base.replay(call, key, perform);
        if (call.world.pendingRequests.has(key))
          throw new RejectionError(409, 'REQ410', 'The original request is still under way');
        return await base.replay(call, key, async () => {
          await pause(UNDER_WAY_MS);
          return perform();
        });
      },
    })),
  },
  {
    id: 'replay-before-validation',
    openPoint: 'OP-97',
    choice: 'yes',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const key = call.rules.replayKey(call, textOf(call.body.requestId));
        const known = key !== undefined && call.world.replays.has(key);
        // The response is stored, so the rest of the body is not validated.
        return known ? (call.body as unknown as CreateInput) : base.validateCreate(call);
      },
    })),
  },
  {
    id: 'replays-expire',
    openPoint: 'OP-98',
    choice: 'five minutes',
    rules: overrideRules((base) => {
      const since = new Map<string, number>();
      return {
        replay: async (call, key, perform) => {
          if (key === undefined) return await base.replay(call, key, perform);
          const at = since.get(key) ?? Date.now();
          if (Date.now() - at > FIVE_MINUTES_MS) call.world.replays.delete(key);
          since.set(key, at);
          return await base.replay(call, key, perform);
        },
      };
    }),
  },
  {
    id: 'request-ids-of-the-organization',
    openPoint: 'OP-99',
    choice: 'no, it names one request of an organization',
    rules: overrideRules(() => ({
      replayKey: ({ environment, organizationId }, requestId) =>
        requestId === undefined ? undefined : JSON.stringify([environment, organizationId, requestId]),
    })),
  },
  {
    id: 'request-ids-limited',
    openPoint: 'OP-100',
    choice: 'at most 64 printable characters without blanks',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        expectForm(call.body.requestId);
        return base.validateCreate(call);
      },
      validateAction: (call, action) => {
        expectForm(call.body.requestId);
        return base.validateAction(call, action);
      },
    })),
  },
  {
    id: 'request-ids-everywhere',
    openPoint: 'OP-101',
    choice: 'yes, every action',
    rules: overrideRules((base) => ({
      validateAction: (call, action) => {
        const { requestId, ...body } = call.body;
        if (action === 'submit' || typeof requestId !== 'string') return base.validateAction(call, action);
        return { ...base.validateAction({ ...call, body }, action), requestId };
      },
    })),
  },
];
