import { type ApiResponse, isSuccess } from '../model/messages.ts';
import { type Asked, idsInRequest } from './ids-in-request.ts';

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

/** Deeper than anybody wraps. */
const DEEPEST = 12;
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
  /** Whether it stands there more than once, in different states: which of them is the present one, nothing tells. */
  ambiguous: boolean;
}

/** How much a record is the one that was asked about: the invoice named, or the one with what was sent. */
function kinship(
  { id, amount, dueDate, description }: JsonObject,
  sent: string,
  named: (id: string) => boolean,
): number {
  const shared = [amount, dueDate, description].filter((value) => sent.includes(JSON.stringify(value) ?? '\n'));
  return (typeof id === 'string' && named(id) ? 4 : 0) + shared.length;
}

const MOST_OF_A_LIST = 5;

/**
 * The invoice record in an answer's body, bare or wrapped, wherever the server puts it: of several the one that was asked
 * about, then the outermost, then the one that looks most like an invoice.
 */
export function findInvoice(json: unknown, asked: Asked = { request: '', sent: null }): FoundRecord | null {
  const objects = (value: unknown) =>
    (Array.isArray(value) ? value.slice(0, MOST_OF_A_LIST) : [value]).filter(isObject);
  const named = idsInRequest(asked);
  let best: { found: Candidate; score: number } | null = null;
  const states = new Map<unknown, Set<unknown>>();
  let level: Candidate[] = objects(json).map((record) => ({ record, place: [] }));
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    for (const found of level) {
      const alike = likeness(found.record);
      if (alike === 0) continue;
      const { id, status } = found.record;
      states.set(id, (states.get(id) ?? new Set()).add(status));
      const score = 10_000 * kinship(found.record, asked.sent ?? '', named) + 100 * (DEEPEST - depth) + alike;
      if (!best || score > best.score) best = { found, score };
    }
    level = level.flatMap(({ record, place }) =>
      Object.entries(record).flatMap(([name, inner]) =>
        objects(inner).map((child) => ({ record: withIdBeside(child, name, record), place: [...place, name] })),
      ),
    );
  }
  return best && { ...best.found, ambiguous: (states.get(best.found.record.id)?.size ?? 0) > 1 };
}

type Candidate = Omit<FoundRecord, 'ambiguous'>;

/** By JSON:API, and in many document stores, an id stands beside the fields and not among them. */
const FIELDS_APART = new Set(['attributes', 'fields', 'properties']);

function withIdBeside(child: JsonObject, name: string, { id }: JsonObject): JsonObject {
  return FIELDS_APART.has(name) && child.id === undefined && typeof id === 'string' ? { id, ...child } : child;
}

/** The records of a list answer; empty when it is none. */
export function listItems(answer: Pick<ApiResponse, 'json'>): JsonObject[] {
  const items = isObject(answer.json) ? answer.json.items : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

const ACTIONS = new Set<string>(['submit', 'approve', 'dispute', 'cancel', 'settle', 'resolve']);
const CARRYING = new Set<string>(['create', 'read', ...ACTIONS]);

export interface Shown {
  record: JsonObject;
  /** List items are complete by contract. */
  listed: boolean;
  /** No two of these have the same one. A list item that says what it said before is the same. */
  serial: number;
}

let serials = 0;
const items = new WeakMap<JsonObject, Shown>();

function shownInList(record: JsonObject): Shown {
  const known = items.get(record);
  if (known) return known;
  serials += 1;
  const item = { record, listed: true, serial: serials };
  items.set(record, item);
  return item;
}

/** A dozen judges ask the same of each answer. */
const shown = new WeakMap<ApiResponse, readonly Shown[]>();

/** Every invoice record of an answer. */
export function invoicesOf(answer: ApiResponse): readonly Shown[] {
  const known = shown.get(answer);
  if (known) return known;
  const found = allInvoicesOf(answer);
  shown.set(answer, found);
  return found;
}

function allInvoicesOf(answer: ApiResponse): readonly Shown[] {
  if (!isSuccess(answer)) return [];
  if (answer.ask.operation === 'list') return listItems(answer).map(shownInList);
  if (!CARRYING.has(answer.ask.operation)) return [];
  const record = invoiceIn(answer);
  // An action may answer with a receipt or a dispute, which looks much like an invoice and has an id of its own.
  const own = record && (!ACTIONS.has(answer.ask.operation) || idsInRequest(answer)(String(record.id)));
  if (!record || !own) return [];
  serials += 1;
  return [{ record, listed: false, serial: serials }];
}

const carried = new WeakMap<ApiResponse, FoundRecord | null>();

/** The invoice record in an answer, found once for all who ask. */
export function foundIn(answer: ApiResponse): FoundRecord | null {
  const known = carried.get(answer);
  if (known !== undefined) return known;
  const found = findInvoice(answer.json, answer);
  carried.set(answer, found);
  return found;
}

/** The invoice that an answer carries, bare or wrapped; without its status where it stands there in several. */
export function invoiceIn(answer: ApiResponse): JsonObject | undefined {
  const found = foundIn(answer);
  if (!found?.ambiguous || answer.ask.operation === 'create') return found?.record;
  const { status: _, ...stateless } = found.record;
  return stateless;
}
