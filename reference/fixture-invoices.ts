import { randomUUID } from 'node:crypto';
import { DEFAULT_CURRENCY, fromCents } from './money.ts';
import type { Invoice, Status, World } from './store.ts';

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;

/** Invoices that were there before, one per status, each an hour younger than the one before, and a booking for each settled one. */
export function seedInvoices(
  world: World,
  seller: string,
  buyer: string,
  statuses: readonly Status[],
  now: Date,
): void {
  for (const [index, status] of statuses.entries()) {
    const createdAt = new Date(now.getTime() - (statuses.length - index) * HOUR);
    world.lastInvoiceNumber += 1;
    const invoice: Invoice = {
      id: randomUUID(),
      invoiceNumber: `INV-${createdAt.getUTCFullYear()}-${String(world.lastInvoiceNumber).padStart(6, '0')}`,
      status,
      amount: fromCents(BigInt(10_050 + index * 2_525)),
      currency: DEFAULT_CURRENCY,
      buyerOrganizationId: buyer,
      sellerOrganizationId: seller,
      dueDate: new Date(now.getTime() + MONTH).toISOString().slice(0, 10),
      createdAt: createdAt.toISOString(),
      description: `Seeded invoice ${index + 1}`,
      notes: [],
    };
    world.invoices.set(invoice.id, invoice);
    if (status === 'SETTLED') book(world, invoice);
  }
}

function book(world: World, { id: invoiceId, sellerOrganizationId, buyerOrganizationId }: Invoice): void {
  const id = randomUUID();
  world.bookings.set(id, { id, organizationIds: [sellerOrganizationId, buyerOrganizationId], invoiceId });
}
