import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Action } from '../../service/lifecycle.ts';
import { RejectionError } from '../../service/rejection.ts';

/** Longer than limits.settleWithinMs in the target file of the proof, but not longer than three times that. */
const AFTER_THE_LIMIT_MS = 2600;

/**
 * Accepted actions take effect later; meanwhile, requests for the invoice are rejected with 409. `only` limits this to
 * one action.
 */
export const delayAndLock = (milliseconds: number, only?: Action): RuleChange =>
  overrideRules((base) => {
    const underWay = new Set<string>();
    return {
      transition: (call, invoice, action) => {
        if (underWay.has(invoice.id)) throw new RejectionError(409, 'LOCK001', 'The invoice is being processed');
        return base.transition(call, invoice, action);
      },
      applyEffect: (call, action, effect) => {
        if (only !== undefined && action !== only) return base.applyEffect(call, action, effect);
        const id = String(call.request.params.id);
        underWay.add(id);
        call.background.schedule(milliseconds, () => {
          underWay.delete(id);
          effect();
        });
      },
    };
  });

/** An action in progress for longer than the target file allows is not judged as completed. */
export const lateEffectVariations: readonly Variation[] = [
  {
    id: 'settlement-after-the-limit',
    openPoint: 'OP-52',
    choice: 'after limits.settleWithinMs, and a second one meanwhile gets 409',
    rules: delayAndLock(AFTER_THE_LIMIT_MS, 'settle'),
  },
  {
    id: 'actions-after-the-limit',
    openPoint: 'OP-51',
    choice: 'after limits.settleWithinMs, and other actions meanwhile get 409',
    rules: delayAndLock(AFTER_THE_LIMIT_MS),
  },
];
