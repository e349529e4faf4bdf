import type { Call } from '../../service/call.ts';
import type { Action } from '../../service/lifecycle.ts';

/** An accepted action has taken effect when it is answered. */
export function applyEffect(_call: Call, _action: Action, effect: () => void): void {
  effect();
}
