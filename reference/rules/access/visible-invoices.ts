import type { Call } from '../../service/call.ts';
import type { Invoice } from '../../service/store.ts';

/** "The caller sees its own organization's invoices": those it sells and those it buys. */
export function visibleInvoices({ world: environment, organizationId }: Call): Invoice[] {
  return [...environment.invoices.values()].filter((invoice) => isParty(invoice, organizationId));
}

export function isParty(invoice: Invoice, organizationId: string): boolean {
  return invoice.sellerOrganizationId === organizationId || invoice.buyerOrganizationId === organizationId;
}
