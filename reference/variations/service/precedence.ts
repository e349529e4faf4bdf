import { overrideRules } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import { transitions } from '../../service/lifecycle.ts';

/** Variations of the order in which a request is tested. */
export const precedenceVariations: readonly Variation[] = [
  {
    id: 'existence-before-permission',
    openPoint: 'OP-81',
    choice: 'after existence, so that an unknown id gets 404 from a read-only key, too',
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (!Object.hasOwn(transitions, call.route.name)) base.authorize(call);
      },
      findInvoice: (call, id) => {
        const invoice = base.findInvoice(call, id);
        base.authorize(call);
        return invoice;
      },
      // A stored response is not returned to a key without permission.
      replay: async (call, key, perform) => {
        const { id } = call.request.params;
        if (id !== undefined && Object.hasOwn(transitions, call.route.name)) call.rules.findInvoice(call, id);
        return await base.replay(call, key, perform);
      },
    })),
  },
];
