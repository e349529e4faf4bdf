import type { Call } from '../../service/call.ts';
import type { CreateInput } from '../../service/inputs.ts';
import { DEFAULT_CURRENCY } from '../../service/money.ts';
import type { Invoice } from '../../service/store.ts';

/** "A newly created invoice is in a state that is not shown": here, as the first state of the lifecycle suggests, DRAFT. */
export function issueInvoice({ world: environment, rules }: Call, input: CreateInput, invoiceNumber: string): Invoice {
  const invoice: Invoice = {
    id: rules.newId(),
    invoiceNumber,
    status: 'DRAFT',
    amount: input.amount,
    currency: input.currency ?? DEFAULT_CURRENCY,
    buyerOrganizationId: input.buyerId,
    sellerOrganizationId: input.sellerId,
    dueDate: input.dueDate,
    createdAt: rules.now().toISOString(),
    ...(input.description === undefined ? {} : { description: input.description }),
    notes: [],
  };
  environment.invoices.set(invoice.id, invoice);
  return invoice;
}
