import { randomUUID } from 'node:crypto';
import { sort } from '../../../reference/rules/invoices/sort.ts';
import type { ReferenceOptions } from '../../../reference/service/app.ts';
import type { Call } from '../../../reference/service/call.ts';
import type { InvoicePage, ListQuery } from '../../../reference/service/inputs.ts';
import { fromCents } from '../../../reference/service/money.ts';
import type { Invoice, InvoiceStatus } from '../../../reference/service/store.ts';

const DAY_MS = 86_400_000;
const STATUSES: readonly InvoiceStatus[] = ['DRAFT', 'SUBMITTED', 'APPROVED', 'DISPUTED', 'SETTLED', 'CANCELLED'];

/**
 * A service with this many invoices between the first seller that lists and its partner. Lists use an index that is sorted once,
 * as in a database. Otherwise the benchmark would measure the sorting of the reference service instead of the kit.
 */
export function longHistory(count: number): ReferenceOptions {
  const history = new History(count);
  return {
    rules: (honest) => ({
      ...honest,
      page: (call, recent, query) =>
        history.appliesTo(call) ? history.page(call, recent, query) : honest.page(call, recent, query),
      findInvoice: (call, id) => history.find(call, id) ?? honest.findInvoice(call, id),
      reset: (call) => {
        const own = history.appliesTo(call);
        const cleared = honest.reset(call);
        return own ? { ...cleared, invoices: cleared.invoices + history.clear() } : cleared;
      },
    }),
  };
}

class History {
  private readonly count: number;
  private invoices: Map<string, Invoice> | undefined;
  private parties: readonly string[] = [];
  private readonly sorted = new Map<string, Invoice[]>();

  constructor(count: number) {
    this.count = count;
  }

  appliesTo(call: Call): boolean {
    if (call.environment !== 'SANDBOX') return false;
    this.invoices ??= this.createInvoices(call);
    return this.parties.includes(call.organizationId) && this.invoices.size > 0;
  }

  find(call: Call, id: string): Invoice | undefined {
    return this.appliesTo(call) ? this.invoices?.get(id) : undefined;
  }

  clear(): number {
    const cleared = this.invoices?.size ?? 0;
    this.invoices?.clear();
    this.sorted.clear();
    return cleared;
  }

  /** A page of the merged lists, counted from the nearer end. */
  page(call: Call, recent: readonly Invoice[], query: ListQuery): InvoicePage {
    const old = this.sortedInvoices(call, query);
    const total = old.length + recent.length;
    const from = Math.min(query.page * query.limit, total);
    const to = Math.min(from + query.limit, total);
    const isBefore = (one: Invoice, other: Invoice) => precedes(call, one, other, query);
    const items =
      from <= total - to
        ? mergeSorted([fromStart(old), fromStart(recent)], isBefore, from, to)
        : mergeSorted(
            [fromEnd(recent), fromEnd(old)],
            (one, other) => isBefore(other, one),
            total - to,
            total - from,
          ).reverse();
    return { items, total, totalPages: Math.ceil(total / query.limit), page: query.page, limit: query.limit };
  }

  private sortedInvoices(call: Call, query: ListQuery): Invoice[] {
    const key = `${query.sortBy} ${query.sortOrder}`;
    const known = this.sorted.get(key);
    if (known) return known;
    const made = sort(call, [...(this.invoices?.values() ?? [])], query);
    this.sorted.set(key, made);
    return made;
  }

  /** Creates invoices between the parties of the oldest invoice of the fixtures. */
  private createInvoices({ world: environment, rules }: Call): Map<string, Invoice> {
    const [first] = environment.invoices.values();
    if (!first) throw new Error('the fixtures hold no invoice');
    const { sellerOrganizationId, buyerOrganizationId, currency } = first;
    this.parties = [sellerOrganizationId, buyerOrganizationId];
    const now = rules.now().getTime();
    const all = Array.from({ length: this.count }, (_, at): Invoice => {
      const createdAt = new Date(now - 30 * DAY_MS - (this.count - at) * 1000);
      return {
        id: randomUUID(),
        invoiceNumber: `OLD-${String(at).padStart(7, '0')}`,
        status: STATUSES[at % STATUSES.length] as InvoiceStatus,
        amount: fromCents(BigInt(1_000 + ((at * 7_919) % 5_000_000))),
        currency,
        buyerOrganizationId,
        sellerOrganizationId,
        dueDate: new Date(now + (at % 300) * DAY_MS).toISOString().slice(0, 10),
        createdAt: createdAt.toISOString(),
        description: `Earlier invoice ${at}`,
        notes: [],
      };
    });
    return new Map(all.map((invoice) => [invoice.id, invoice]));
  }
}

/** Whether an old invoice sorts before a recent one. Of equal invoices the older one is first. */
function precedes(call: Call, old: Invoice, recent: Invoice, query: ListQuery): boolean {
  return sort(call, [old, recent], query)[0] === old;
}

/** Items `from` to before the end index of two merged sorted lists; `first` tells which head is next. */
function mergeSorted(
  [one, other]: readonly [IndexedList, IndexedList],
  first: (one: Invoice, other: Invoice) => boolean,
  from: number,
  to: number,
): Invoice[] {
  const page: Invoice[] = [];
  for (let [at, o, r] = [0, 0, 0]; at < to; at += 1) {
    const [left, right] = [one(o), other(r)];
    const takesLeft = left !== undefined && (right === undefined || first(left, right));
    const taken = takesLeft ? left : right;
    if (takesLeft) o += 1;
    else r += 1;
    if (taken && at >= from) page.push(taken);
  }
  return page;
}

/** The invoice at an index, counted from either end. Avoids reversing the whole list for one page. */
type IndexedList = (at: number) => Invoice | undefined;
const fromStart =
  (list: readonly Invoice[]): IndexedList =>
  (at) =>
    list[at];
const fromEnd =
  (list: readonly Invoice[]): IndexedList =>
  (at) =>
    list[list.length - 1 - at];
