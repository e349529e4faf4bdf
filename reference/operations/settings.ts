import type { Call } from '../service/call.ts';
import { rejections } from '../service/rejection.ts';
import type { ServiceResponse } from '../service/store.ts';

/** "Create webhook subscription." */
export function createSubscription(call: Call): ServiceResponse {
  const { rules } = call;
  const input = rules.validateSubscription(call);
  return rules.renderSubscription(call, rules.subscribe(call, input));
}

/** Lists the caller's own subscriptions. The contract does not define this operation. */
export function listSubscriptions(call: Call): ServiceResponse {
  const { world: environment, organizationId, rules } = call;
  const own = environment.subscriptions.filter((each) => each.organizationId === organizationId);
  return { status: 200, body: { items: own.map((each) => rules.renderSubscription(call, each).body) } };
}

/** Removes one of the caller's own subscriptions. The contract does not define this operation. */
export function deleteSubscription({ world: environment, organizationId, request }: Call): ServiceResponse {
  const at = environment.subscriptions.findIndex(
    (each) => each.id === request.params.id && each.organizationId === organizationId,
  );
  if (at < 0) throw rejections.subscriptionNotFound();
  environment.subscriptions.splice(at, 1);
  return { status: 204 };
}

/** "Reset sandbox." */
export function resetSandbox(call: Call): ServiceResponse {
  const { rules } = call;
  rules.validateReset(call);
  return rules.renderReset(call, rules.reset(call));
}
