import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Action } from '../../service/lifecycle.ts';
import { RejectionError } from '../../service/rejection.ts';

/** Longer than the proof's target file allows with limits.settleWithinMs, and no longer than three times that. */
const AFTER_THE_LIMIT_MS = 2600;

/** Accepted actions land later; whatever is asked of the invoice meanwhile is refused with 409. `only` narrows it to one action. */
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

/** What is under way for longer than the target file allows is not judged as finished. */
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
