import type { Call } from '../service/call.ts';
import { refusals } from '../service/refusal.ts';
import type { Answer } from '../service/store.ts';

/** "Create webhook subscription." */
export function createSubscription(call: Call): Answer {
  const { rules } = call;
  const input = rules.validateSubscription(call);
  return rules.renderSubscription(call, rules.subscribe(call, input));
}

/** The caller's own subscriptions. An operation of this service's own. */
export function listSubscriptions(call: Call): Answer {
  const { world, organizationId, rules } = call;
  const own = world.subscriptions.filter((each) => each.organizationId === organizationId);
  return { status: 200, body: { items: own.map((each) => rules.renderSubscription(call, each).body) } };
}

/** Removes one of the caller's own subscriptions. An operation of this service's own. */
export function deleteSubscription({ world, organizationId, request }: Call): Answer {
  const at = world.subscriptions.findIndex(
    (each) => each.id === request.params.id && each.organizationId === organizationId,
  );
  if (at < 0) throw refusals.subscriptionNotFound();
  world.subscriptions.splice(at, 1);
  return { status: 204 };
}

/** "Reset sandbox." */
export function resetSandbox(call: Call): Answer {
  const { rules } = call;
  rules.validateReset(call);
  return rules.renderReset(call, rules.reset(call));
}
