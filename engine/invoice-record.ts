import type { Answer } from './answer.ts';

export type JsonObject = Record<string, unknown>;

export const INVOICE_FIELDS = [
  'id',
  'invoiceNumber',
  'status',
  'amount',
  'currency',
  'buyerOrganizationId',
  'sellerOrganizationId',
  'dueDate',
  'createdAt',
] as const;
export type InvoiceField = (typeof INVOICE_FIELDS)[number];

const DEEPEST = 5;
/** Fewer matching names could be a booking, a party or an event that happens to have an id and a status. */
const FEWEST_NAMES = 4;

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** How much a value looks like an invoice: the number of its fields, or 0 for what is rather a party, a payment or an event. */
function likeness(value: JsonObject): number {
  const names = INVOICE_FIELDS.filter((field) => Object.hasOwn(value, field));
  const telling = Object.hasOwn(value, 'invoiceNumber') || Object.hasOwn(value, 'dueDate');
  return telling && names.length >= FEWEST_NAMES ? names.length : 0;
}

export interface FoundRecord {
  record: JsonObject;
  /** Names of the members that lead to it; empty for a bare record. */
  place: string[];
}

/** The invoice record in an answer's body, bare or wrapped, wherever the server puts it. */
export function findInvoice(json: unknown): FoundRecord | null {
  let level: FoundRecord[] = isObject(json) ? [{ record: json, place: [] }] : [];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    const [best] = level
      .map((found) => ({ found, score: likeness(found.record) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    if (best) return best.found;
    level = level.flatMap(({ record, place }) =>
      Object.entries(record).flatMap(([name, inner]) =>
        (Array.isArray(inner) ? inner.slice(0, 1) : [inner])
          .filter(isObject)
          .map((child) => ({ record: child, place: [...place, name] })),
      ),
    );
  }
  return null;
}

/** The records of a list answer; empty when it is none. */
export function listItems(answer: Pick<Answer, 'json'>): JsonObject[] {
  const items = isObject(answer.json) ? answer.json.items : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

const CARRYING = new Set(['create', 'read', 'submit', 'approve', 'dispute', 'cancel', 'settle', 'resolve']);

interface Shown {
  record: JsonObject;
  /** List items are complete by contract. */
  listed: boolean;
}

/** A dozen judges ask the same of each answer. */
const shown = new WeakMap<Answer, readonly Shown[]>();

/** Every invoice record of an answer. */
export function invoicesOf(answer: Answer): readonly Shown[] {
  const known = shown.get(answer);
  if (known) return known;
  const found = allInvoicesOf(answer);
  shown.set(answer, found);
  return found;
}

function allInvoicesOf(answer: Answer): readonly Shown[] {
  if (answer.status < 200 || answer.status > 299) return [];
  if (answer.ask.operation === 'list') return listItems(answer).map((record) => ({ record, listed: true }));
  if (!CARRYING.has(answer.ask.operation)) return [];
  const found = findInvoice(answer.json);
  return found ? [{ record: found.record, listed: false }] : [];
}
