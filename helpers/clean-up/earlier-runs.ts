import { isReceiverUrl } from '../../engine/http/webhook-receiver.ts';
import type { InvoiceState } from '../../specs/lifecycle.ts';
import { list, listWebhooks, NEWEST_FIRST } from '../api/operations.ts';
import type { JsonObject } from '../api/responses.ts';
import { isShown, listItems } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import type { MadeSubscription } from '../context/made-subscriptions.ts';
import { listedSubscriptions } from '../context/made-subscriptions.ts';
import { bearsMark } from '../context/run-mark.ts';
import { look } from '../invoices/find-invoice.ts';
import { isState } from '../invoices/invoices.ts';

/** What runs of the kit have left on a server, as far as it bears their mark. */
export interface Leftovers {
  invoices: { id: string; state: InvoiceState }[];
  subscriptions: MadeSubscription[];
  /** Whether any invoice shows its description, by which alone it can be recognised. */
  describes: boolean;
}

/** Looks through the seller's whole list, and through the subscriptions of every sandbox organization. Changes nothing. */
export async function findLeftovers(lab: Lab): Promise<Leftovers> {
  const records = await everyInvoice(lab);
  const described = await Promise.all(records.map((record) => withDescription(lab, record)));
  const invoices = described.flatMap(({ id, status, description }) =>
    isState(status) && bearsMark(description) ? [{ id: String(id), state: status }] : [],
  );
  const describes = described.some(({ description }) => description !== undefined);
  return { invoices, subscriptions: await ownSubscriptions(lab), describes };
}

/** Each once: what others create meanwhile moves the pages on. */
async function everyInvoice(lab: Lab): Promise<JsonObject[]> {
  const found = new Map<string, JsonObject>();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await list(lab, { ...NEWEST_FIRST, page });
    const known = found.size;
    for (const record of isShown(answer) ? listItems(answer) : []) found.set(String(record.id), record);
    if (found.size === known) break;
  }
  return [...found.values()];
}

/** A million invoices. */
const MOST_PAGES = 10_000;

const REMOVABLE: ReadonlySet<unknown> = new Set(['DRAFT', 'SUBMITTED', 'DISPUTED']);

/** A list may leave out the description that reading shows. Only what could be removed is worth the request. */
async function withDescription(lab: Lab, record: JsonObject): Promise<JsonObject> {
  if (record.description !== undefined || !lab.target.operations.read || !REMOVABLE.has(record.status)) return record;
  const { record: read } = await look(lab, String(record.id));
  return read ? { ...record, ...read } : record;
}

async function ownSubscriptions(lab: Lab): Promise<MadeSubscription[]> {
  if (!lab.target.operations.webhookList) return [];
  const found = new Map<string, MadeSubscription>();
  for (const name of lab.known('seller', 'buyer', 'outsider')) {
    const as = lab.who(name);
    const answer = await listWebhooks(lab, as);
    for (const { id, url } of isShown(answer) ? listedSubscriptions(answer) : []) {
      if (isReceiverUrl(url)) found.set(id, { key: `${id}, to ${url}`, url, id, as });
    }
  }
  return [...found.values()];
}
