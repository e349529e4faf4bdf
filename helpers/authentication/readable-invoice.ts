import { sharedResult } from '../context/shared-result.ts';
import { createInvoice, type Invoice } from '../invoices/invoices.ts';

/** The invoice that requests without valid credentials must not show. */
export const readableInvoice = sharedResult((ctx): Promise<Invoice> => createInvoice(ctx));
