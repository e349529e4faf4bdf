import type { Call } from '../call.ts';
import type { Answer } from '../store.ts';

/** "Create webhook subscription." */
export function createSubscription(call: Call): Answer {
  const { rules } = call;
  const input = rules.validateSubscription(call);
  return rules.renderSubscription(call, rules.subscribe(call, input));
}

/** "Reset sandbox." */
export function resetSandbox(call: Call): Answer {
  const { rules } = call;
  rules.validateReset(call);
  return rules.renderReset(call, rules.reset(call));
}
