import type { Call } from '../../service/call.ts';

/** "`invoiceNumber` is unique per connection": here it is so in the whole environment, which makes INV003 impossible. */
export function nextInvoiceNumber({ world: environment, rules }: Call): string {
  environment.lastInvoiceNumber += 1;
  return `INV-${rules.now().getUTCFullYear()}-${String(environment.lastInvoiceNumber).padStart(6, '0')}`;
}
