import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import { isParty } from '../access/visible-invoices.ts';

/** "Invoice ids that do not exist, or belong to another organization, yield INV001 (404)." */
export function findInvoice({ world: environment, organizationId }: Call, id: string): Invoice {
  const invoice = environment.invoices.get(id);
  if (!invoice || !isParty(invoice, organizationId)) throw rejections.invoiceNotFound();
  return invoice;
}
