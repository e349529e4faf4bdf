import type { Call } from '../../service/call.ts';
import type { Action } from '../../service/lifecycle.ts';

/** An accepted action takes effect before the response. */
export function applyEffect(_call: Call, _action: Action, effect: () => void): void {
  effect();
}
