import type { Call } from '../../service/call.ts';
import type { SubscriptionInput } from '../../service/inputs.ts';
import type { Subscription } from '../../service/store.ts';

/** "Not idempotent, and a retry may create a duplicate." */
export function subscribe({ world: environment, organizationId, rules }: Call, input: SubscriptionInput): Subscription {
  const subscription: Subscription = {
    id: rules.newId(),
    organizationId,
    url: input.url,
    eventTypes: input.eventTypes,
    signingSecret: input.signingSecret,
    createdAt: rules.now().toISOString(),
  };
  environment.subscriptions.push(subscription);
  return subscription;
}
