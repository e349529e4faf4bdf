import type { Service } from '../../service/call.ts';
import type { ServiceEvent } from '../../service/inputs.ts';
import type { Subscription } from '../../service/store.ts';
import { isParty } from '../access/visible-invoices.ts';

/** Only the parties of the invoice in its environment. Other organizations must not learn that the invoice exists. */
export function subscribers({ store }: Service, { kind, environment, invoice }: ServiceEvent): Subscription[] {
  return store.worlds[environment].subscriptions.filter(
    ({ organizationId, eventTypes }) => isParty(invoice, organizationId) && eventTypes.includes(kind),
  );
}
