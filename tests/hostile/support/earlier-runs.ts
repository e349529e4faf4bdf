import { randomUUID } from 'node:crypto';
import type { Reference } from '../../../reference/service/app.ts';
import type { InvoiceStatus } from '../../../reference/service/store.ts';

const DAY_MS = 86_400_000;
const STATES: readonly InvoiceStatus[] = ['CANCELLED', 'CANCELLED', 'CANCELLED', 'SETTLED', 'APPROVED', 'DISPUTED'];
const PER_RUN = 100;

/** Fills a sandbox with as many invoices as earlier runs leave: one run per night, the last one a day ago. */
export function leaveOfEarlierRuns({ service, fixtures }: Reference, count: number): void {
  const { rules, store } = service;
  const environment = store.worlds.SANDBOX;
  const { seller, buyer } = fixtures.actors;
  const now = rules.now().getTime();
  const nights = Math.ceil(count / PER_RUN);
  for (let made = 0; made < count; made += 1) {
    const night = nights - Math.floor(made / PER_RUN);
    const at = made % PER_RUN;
    const created = now - night * DAY_MS + at * 50;
    environment.lastInvoiceNumber += 1;
    const id = randomUUID();
    const createdAt = new Date(created).toISOString();
    // Two invoices of each run are due far in the future.
    const dueInDays = at === 0 ? 400 : at === 1 ? 341 + night : 20 + (at % 10);
    environment.invoices.set(id, {
      id,
      invoiceNumber: `INV-${createdAt.slice(0, 4)}-${String(environment.lastInvoiceNumber).padStart(6, '0')}`,
      status: STATES[at % STATES.length] as InvoiceStatus,
      amount: `${10 + (at % 70)}.${String(made % 100).padStart(2, '0')}`,
      currency: 'EUR',
      buyerOrganizationId: buyer.organizationId,
      sellerOrganizationId: seller.organizationId,
      dueDate: new Date(created + dueInDays * DAY_MS).toISOString().slice(0, 10),
      createdAt,
      description: `Soap (conformance ${String(night).padStart(8, '0')} ${at})`,
      notes: [],
    });
  }
}
