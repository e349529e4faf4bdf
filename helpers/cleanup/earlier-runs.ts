import { isReceiverUrl } from '../../engine/http/webhook-receiver.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { listInvoices, listWebhooks, NEWEST_FIRST } from '../api/operations.ts';
import { is2xx, type JsonObject, listItems } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { type CreatedSubscription, listedSubscriptions } from '../context/created-subscriptions.ts';
import { hasMark } from '../context/invoice-history.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { isInvoiceState } from '../invoices/invoices.ts';

/** Leftovers of earlier runs on a server, recognised by the mark of the kit. */
export interface Leftovers {
  invoices: { id: string; state: InvoiceState }[];
  subscriptions: CreatedSubscription[];
  /** Whether any invoice shows its description, which carries the mark. */
  hasDescriptions: boolean;
}

/** Searches the seller's whole list and the subscriptions of every sandbox organization. Changes nothing. */
export async function findLeftovers(ctx: CheckContext): Promise<Leftovers> {
  const records = await listAllInvoices(ctx);
  const described = await Promise.all(records.map((record) => withDescription(ctx, record)));
  const invoices = described.flatMap(({ id, status, description }) =>
    isInvoiceState(status) && hasMark(description) ? [{ id: String(id), state: status }] : [],
  );
  const describes = described.some(({ description }) => description !== undefined);
  return { invoices, subscriptions: await listOwnSubscriptions(ctx), hasDescriptions: describes };
}

/** Each invoice once, because records move between pages while other users create invoices. */
async function listAllInvoices(ctx: CheckContext): Promise<JsonObject[]> {
  const found = new Map<string, JsonObject>();
  for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
    const response = await listInvoices(ctx, { ...NEWEST_FIRST, page });
    const known = found.size;
    for (const record of is2xx(response) ? listItems(response) : []) found.set(String(record.id), record);
    if (found.size === known) break;
  }
  return [...found.values()];
}

/** Enough for a million invoices. */
const MAX_LIST_PAGES = 10_000;

const REMOVABLE_STATES: ReadonlySet<unknown> = new Set(['DRAFT', 'SUBMITTED', 'DISPUTED']);

/** Adds the description by a read if the list omits it, for removable invoices only. */
async function withDescription(ctx: CheckContext, record: JsonObject): Promise<JsonObject> {
  if (record.description !== undefined || !ctx.target.operations.read || !REMOVABLE_STATES.has(record.status))
    return record;
  const { record: read } = await findInvoice(ctx, String(record.id));
  return read ? { ...record, ...read } : record;
}

async function listOwnSubscriptions(ctx: CheckContext): Promise<CreatedSubscription[]> {
  if (!ctx.target.operations.webhookList) return [];
  const found = new Map<string, CreatedSubscription>();
  for (const name of ctx.availableActors('seller', 'buyer', 'outsider')) {
    const as = ctx.credentials(name);
    const response = await listWebhooks(ctx, as);
    for (const { id, url } of is2xx(response) ? listedSubscriptions(response) : []) {
      if (isReceiverUrl(url))
        found.set(id, { key: `${id}, to ${url}`, url, id, credentials: as, lifetime: 'run', execution: ctx.execution });
    }
  }
  return [...found.values()];
}
