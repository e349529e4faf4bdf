import type { Service } from '../call.ts';
import type { ServiceEvent } from '../inputs.ts';
import type { Subscription } from '../store.ts';
import { isParty } from './visible.ts';

/** Only the parties of the invoice, and only in its environment: others must not learn that it exists. */
export function subscribers({ store }: Service, { kind, environment, invoice }: ServiceEvent): Subscription[] {
  return store.worlds[environment].subscriptions.filter(
    ({ organizationId, eventTypes }) => isParty(invoice, organizationId) && eventTypes.includes(kind),
  );
}
