import { listInvoices, NEWEST_FIRST } from '../api/operations.ts';
import { isSuccess, type JsonObject, listItems } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { parsePage } from '../invoices/list-page.ts';

/** Whether the record names organizations, and none of them is `own`. */
export function isForeignInvoice({ sellerOrganizationId, buyerOrganizationId }: JsonObject, own: string): boolean {
  const parties = [sellerOrganizationId, buyerOrganizationId];
  return parties.every((id) => typeof id === 'string' && id !== '' && id.toLowerCase() !== own.toLowerCase());
}

/** Invoices without the seller as a party, from the newest and oldest pages of the other sandbox keys. */
export async function listForeignInvoices(ctx: CheckContext): Promise<JsonObject[]> {
  const own = ctx.organizationId('seller');
  const lists = await Promise.all(
    ctx.availableActors('outsider', 'buyer').map(async (name) => {
      const as = ctx.credentials(name);
      const first = await listInvoices(ctx, NEWEST_FIRST, { as });
      const { totalPages } = parsePage(first);
      const last = totalPages > 1 ? [await listInvoices(ctx, { ...NEWEST_FIRST, page: totalPages - 1 }, { as })] : [];
      return [first, ...last].filter(isSuccess).flatMap(listItems);
    }),
  );
  return lists.flatMap((records) =>
    records.filter((record) => isForeignInvoice(record, own)).slice(0, MAX_INVOICES_PER_KEY),
  );
}

const MAX_INVOICES_PER_KEY = 3;
