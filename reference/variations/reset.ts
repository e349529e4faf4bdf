import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import { rejections } from '../service/rejection.ts';

const RESET_LANDS_MS = 200;

export const resetVariations: readonly Variation[] = [
  {
    id: 'reset-requires-object',
    openPoint: 'OP-72',
    choice: 'an empty object',
    rules: overrideRules((base) => ({
      validateReset: (call) => {
        if (call.request.text === '') throw rejections.unreadableBody('A JSON object is required');
        base.validateReset(call);
      },
    })),
  },
  {
    id: 'reset-later',
    openPoint: 'OP-74',
    choice: 'a fifth of a second after its response',
    rules: overrideRules((base) => ({
      reset: (call) => {
        call.background.schedule(RESET_LANDS_MS, () => base.reset(call));
        return { apiKeys: 0, logs: 0, invoices: 0, bookings: 0 };
      },
    })),
  },
];
