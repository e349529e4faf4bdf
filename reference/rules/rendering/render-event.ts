import type { Service } from '../../service/call.ts';
import type { ServiceEvent } from '../../service/inputs.ts';

/** "Payload shape: not shown." */
export function renderEvent({ rules }: Service, { id, kind, environment, at, invoice }: ServiceEvent): unknown {
  return { id, eventType: kind, environment, occurredAt: at, data: rules.renderInvoice(invoice) };
}
