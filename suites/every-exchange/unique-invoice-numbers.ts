import {
  type ApiResponse,
  describeResponsePart,
  idsInRequest,
  idsNamedIn,
  invoicesOf,
  isSuccess,
  type JsonObject,
  type Operation,
} from '../../helpers/rules/response-parts.ts';
import {
  type BreachCase,
  type ExchangeRule,
  environmentOf,
  type Finding,
  showsInvoices,
} from '../../helpers/rules/rule-vocabulary.ts';

const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The invoice that a response showed with a number. */
interface NumberHolder {
  id: string;
  /** A draft may be deleted, or end in a spontaneous change, and the server may assign its number again. */
  isDraft: boolean;
  /** When a response first showed it, in milliseconds of `performance.now()`. */
  sinceMs: number;
  /** The response that showed it last. */
  exchange: string;
}

/** The holder of each number, and the numbers of each invoice id. */
class NumberRegistry {
  readonly holdersByNumber = new Map<string, NumberHolder>();
  readonly numbersById = new Map<string, Set<string>>();

  register(place: string, holder: NumberHolder): void {
    this.holdersByNumber.set(place, holder);
    this.numbersById.set(holder.id, (this.numbersById.get(holder.id) ?? new Set()).add(place));
  }

  removeInvoice(id: string): void {
    for (const place of this.numbersById.get(id) ?? [])
      if (this.holdersByNumber.get(place)?.id === id) this.holdersByNumber.delete(place);
    this.numbersById.delete(id);
  }
}

interface NumberConflict extends BreachCase {
  ids: readonly string[];
  /** When the kit saw the conflict, in milliseconds of `performance.now()`. */
  seenAtMs: number;
}

const READ_OPERATIONS: ReadonlySet<Operation> = new Set(['list', 'read']);

/** How long an invoice of the kit exists at least, in milliseconds. */
const MIN_LIFETIME_MS = 1000;

/** The number with its connection, as a key within one environment. Null when the record lacks a field. */
function numberKeyOf(record: JsonObject): string | null {
  const { id, invoiceNumber, sellerOrganizationId: seller, buyerOrganizationId: buyer } = record;
  return [id, invoiceNumber, seller, buyer].every(isNonEmptyString) ? [seller, buyer, invoiceNumber].join('\n') : null;
}

function duplicateFinding(response: ApiResponse, record: JsonObject, other: string): Finding {
  const id = String(record.id);
  const number = String(record.invoiceNumber);
  return {
    reason: `the response to ${response.requestLine} shows invoice ${id} with invoiceNumber ${number}, which invoice ${other} of the same connection has`,
    expected: 'an invoiceNumber unique per connection (Resources, Invoice, rule 1)',
    actual: describeResponsePart(response, record),
  };
}

/**
 * Two invoices of a connection must not have the same number while both exist. A server may assign the number of a deleted draft
 * again, and the responses that show both may arrive in any order.
 */
const uniqueNumberRule: ExchangeRule = {
  id: 'REC-11.unique',
  whenNeverApplicable: 'blocked',
  // A deletion shows no invoice, but ends one.
  appliesTo: (response) => showsInvoices(response) || response.request.operation === 'delete',
  start: () => {
    const worlds = { SANDBOX: new NumberRegistry(), PRODUCTION: new NumberRegistry() };
    const own = new Set<string>();
    const deleted = new Set<string>();
    let conflicts: NumberConflict[] = [];
    /** Conflicts whose earlier holder may no longer exist, by its id. A later read of that holder confirms them. */
    const doubtful = new Map<string, NumberConflict>();

    const forget = (response: ApiResponse): void => {
      const { sentAt } = response;
      const isNamed = idsInRequest(response);
      for (const places of Object.values(worlds)) {
        for (const id of idsNamedIn(places.numbersById, response)) {
          places.removeInvoice(id);
          deleted.add(id);
        }
      }
      conflicts = conflicts.filter(({ ids, seenAtMs }) => sentAt > seenAtMs || !ids.some(isNamed));
    };

    return {
      evaluate: (response) => {
        if (response.request.operation === 'delete' && isSuccess(response)) forget(response);
        const environment = environmentOf(response.request);
        if (environment === null) return null;
        const { [environment]: places } = worlds;
        const { exchange } = response;
        const at = performance.now();
        let spoken = false;
        for (const { record } of invoicesOf(response)) {
          const place = numberKeyOf(record);
          const id = String(record.id);
          if (place === null || deleted.has(id)) continue;
          if (response.request.operation === 'create') own.add(id);
          const before = places.holdersByNumber.get(place);
          if (before && before.id !== id && before.exchange === exchange)
            return duplicateFinding(response, record, before.id);
          spoken = true;
          const doubt = doubtful.get(id);
          // Only reads count, because a replay shows an earlier state.
          if (doubt && response.sentAt > doubt.seenAtMs && READ_OPERATIONS.has(response.request.operation)) {
            doubtful.delete(id);
            conflicts.push(doubt);
          }
          const draft = record.status === 'DRAFT';
          if (before?.id === id) {
            before.isDraft = draft;
            before.exchange = exchange;
            continue;
          }
          if (before) {
            const ids = [before.id, id];
            const conflict: NumberConflict = {
              ids,
              seenAtMs: at,
              finding: duplicateFinding(response, record, before.id),
              exchange,
            };
            const lived = own.has(before.id) && at - before.sinceMs < MIN_LIFETIME_MS;
            if (before.isDraft && !lived) doubtful.set(before.id, conflict);
            else conflicts.push(conflict);
          }
          places.register(place, { id, isDraft: draft, sinceMs: at, exchange });
        }
        return spoken ? 'kept' : null;
      },
      atEnd: () => conflicts,
    };
  },
};

/** invoiceNumber is unique per connection. */
export const uniqueInvoiceNumberRules: readonly ExchangeRule[] = [uniqueNumberRule];
