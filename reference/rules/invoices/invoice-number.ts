import type { Call } from '../../service/call.ts';

/** "`invoiceNumber` is unique per connection": here it is so in the whole environment, which makes INV003 impossible. */
export function nextInvoiceNumber({ world, rules }: Call): string {
  world.lastInvoiceNumber += 1;
  return `INV-${rules.now().getUTCFullYear()}-${String(world.lastInvoiceNumber).padStart(6, '0')}`;
}
