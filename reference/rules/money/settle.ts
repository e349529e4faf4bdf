import type { Call } from '../../service/call.ts';
import { toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import { addFunds, availableFunds } from './funds.ts';

/** "Sandbox actions never move real money": the funds of the invoice's own environment go from buyer to seller. */
export function settle({ world: environment }: Call, invoice: Invoice): void {
  const cents = toCents(invoice.amount);
  const { buyerOrganizationId: buyer, sellerOrganizationId: seller, currency } = invoice;
  if (availableFunds(environment, buyer, currency) < cents) throw rejections.notEnoughFunds();
  addFunds(environment, buyer, currency, -cents);
  addFunds(environment, seller, currency, cents);
}
