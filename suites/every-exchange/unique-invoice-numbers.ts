import {
  type BreachCase,
  type ExchangeRule,
  environmentOf,
  type Finding,
  showsInvoices,
} from '../../helpers/rules/exchange-rule.ts';
import {
  type ApiResponse,
  describePart,
  idsInRequest,
  idsNamedIn,
  invoicesOf,
  isSuccess,
  type JsonObject,
  type Operation,
} from '../../helpers/rules/response-parts.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Who was seen with a number. */
interface Holder {
  id: string;
  /** As a draft, which may be deleted or end by itself without the kit's knowing, and its number be given out again. */
  draft: boolean;
  /** Since when, as `performance.now()` tells it. */
  since: number;
  /** The answer that showed it last. */
  exchange: string;
}

/** Who holds which number, and where each id was seen. */
class Places {
  readonly holders = new Map<string, Holder>();
  readonly of = new Map<string, Set<string>>();

  take(place: string, holder: Holder): void {
    this.holders.set(place, holder);
    this.of.set(holder.id, (this.of.get(holder.id) ?? new Set()).add(place));
  }

  forget(id: string): void {
    for (const place of this.of.get(id) ?? []) if (this.holders.get(place)?.id === id) this.holders.delete(place);
    this.of.delete(id);
  }
}

interface Conflict extends BreachCase {
  ids: readonly string[];
  /** When it was seen, as `performance.now()` tells it. */
  at: number;
}

const LOOKS: ReadonlySet<Operation> = new Set(['list', 'read']);

/** What the kit has made lives so long at least, in milliseconds. */
const LEAST_LIFE_MS = 1000;

const placed = new WeakMap<JsonObject, string | null>();

/** A number stands for one connection, of one environment. Null where the record does not tell. Found out once for each record. */
function placeOf(record: JsonObject): string | null {
  const known = placed.get(record);
  if (known !== undefined) return known;
  const { id, invoiceNumber, sellerOrganizationId: seller, buyerOrganizationId: buyer } = record;
  const place = [id, invoiceNumber, seller, buyer].every(isText) ? [seller, buyer, invoiceNumber].join('\n') : null;
  placed.set(record, place);
  return place;
}

function found(answer: ApiResponse, record: JsonObject, other: string): Finding {
  const id = String(record.id);
  const number = String(record.invoiceNumber);
  return {
    reason: `the answer to ${answer.request} shows invoice ${id} with the invoiceNumber ${number} of invoice ${other}, in one connection`,
    expected: 'an invoiceNumber unique per connection (Resources, Invoice, rule 1)',
    actual: describePart(answer, record),
  };
}

/**
 * No two invoices of a connection have one number, as long as both exist: a numbering without gaps may give the number of a
 * deleted draft out again, and the answers to both may cross each other on their way.
 */
const uniqueNumber: ExchangeRule = {
  id: 'REC-11.unique',
  whenNeverApplicable: 'blocked',
  // A deletion shows none, and tells of one.
  appliesTo: (answer) => showsInvoices(answer) || answer.ask.operation === 'delete',
  start: () => {
    const worlds = { SANDBOX: new Places(), PRODUCTION: new Places() };
    const own = new Set<string>();
    const deleted = new Set<string>();
    let conflicts: Conflict[] = [];
    /** Those of numbers whose earlier holder may have been gone, by its id: until it is seen again. */
    const doubtful = new Map<string, Conflict>();

    const forget = (answer: ApiResponse): void => {
      const { sentAt } = answer;
      const isNamed = idsInRequest(answer);
      for (const places of Object.values(worlds)) {
        for (const id of idsNamedIn(places.of, answer)) {
          places.forget(id);
          deleted.add(id);
        }
      }
      conflicts = conflicts.filter(({ ids, at }) => sentAt > at || !ids.some(isNamed));
    };

    return {
      evaluate: (answer) => {
        if (answer.ask.operation === 'delete' && isSuccess(answer)) forget(answer);
        const world = environmentOf(answer.ask);
        if (world === null) return null;
        const { [world]: places } = worlds;
        const { exchange } = answer;
        const at = performance.now();
        let spoken = false;
        for (const { record } of invoicesOf(answer)) {
          const place = placeOf(record);
          const id = String(record.id);
          if (place === null || deleted.has(id)) continue;
          if (answer.ask.operation === 'create') own.add(id);
          const before = places.holders.get(place);
          if (before && before.id !== id && before.exchange === exchange) return found(answer, record, before.id);
          spoken = true;
          const doubt = doubtful.get(id);
          // A replay shows what has been.
          if (doubt && answer.sentAt > doubt.at && LOOKS.has(answer.ask.operation)) {
            doubtful.delete(id);
            conflicts.push(doubt);
          }
          const draft = record.status === 'DRAFT';
          if (before?.id === id) {
            before.draft = draft;
            before.exchange = exchange;
            continue;
          }
          if (before) {
            const ids = [before.id, id];
            const conflict = { ids, at, finding: found(answer, record, before.id), exchange };
            const lived = own.has(before.id) && at - before.since < LEAST_LIFE_MS;
            if (before.draft && !lived) doubtful.set(before.id, conflict);
            else conflicts.push(conflict);
          }
          places.take(place, { id, draft, since: at, exchange });
        }
        return spoken ? 'kept' : null;
      },
      atEnd: () => conflicts,
    };
  },
};

/** invoiceNumber is unique per connection. */
export const uniqueInvoiceNumberRules: readonly ExchangeRule[] = [uniqueNumber];
