import { type InvoiceBody, validBody } from './invoice-body.ts';
import { freshInvoice, type Invoice } from './invoices.ts';
import type { Lab } from './lab.ts';

/** Invoices that nothing but their ids and descriptions tells apart, where a server makes such. */
export async function alike(lab: Lab, count: number): Promise<Invoice[]> {
  const { amount, dueDate } = validBody(lab);
  const make = (changes: Partial<InvoiceBody>) =>
    Promise.all(Array.from({ length: count }, () => freshInvoice(lab, changes)));
  const made = await make({ amount, dueDate });
  // Where an answer shows no invoice, the list cannot tell which of them came of it.
  return new Set(made.map(({ id }) => id)).size === made.length ? made : await make({});
}
