import type { Call } from '../../service/call.ts';
import type { InvoicePage, ListQuery } from '../../service/inputs.ts';
import type { Invoice } from '../../service/store.ts';

/** The paged list envelope: the page that was served, the limit that was applied, and the totals of both. */
export function page(_call: Call, invoices: readonly Invoice[], { page: index, limit }: ListQuery): InvoicePage {
  return {
    items: invoices.slice(index * limit, (index + 1) * limit),
    total: invoices.length,
    totalPages: Math.ceil(invoices.length / limit),
    page: index,
    limit,
  };
}
