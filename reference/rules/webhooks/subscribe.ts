import type { Call } from '../../service/call.ts';
import type { SubscriptionInput } from '../../service/inputs.ts';
import type { Subscription } from '../../service/store.ts';

/** "Not idempotent, and a retry may create a duplicate." */
export function subscribe({ world, organizationId, rules }: Call, input: SubscriptionInput): Subscription {
  const subscription: Subscription = {
    id: rules.newId(),
    organizationId,
    url: input.url,
    eventTypes: input.eventTypes,
    signingSecret: input.signingSecret,
    createdAt: rules.now().toISOString(),
  };
  world.subscriptions.push(subscription);
  return subscription;
}
