import { type ApiResponse, isSuccess } from '../model/messages.ts';
import { idsInRequest, type RequestText } from './request-ids.ts';

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

/** No server wraps a record more deeply. */
const MAX_SEARCH_DEPTH = 12;
/** With fewer matching names, the record could be a booking, a party or an event with an id and a status. */
const MIN_MATCHING_FIELDS = 4;

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** How similar a value is to an invoice: the number of its invoice fields, or 0 for a party, a payment or an event. */
function fieldScore(value: JsonObject): number {
  const names = INVOICE_FIELDS.filter((field) => Object.hasOwn(value, field));
  const telling = Object.hasOwn(value, 'invoiceNumber') || Object.hasOwn(value, 'dueDate');
  return telling && names.length >= MIN_MATCHING_FIELDS ? names.length : 0;
}

export interface FoundRecord {
  record: JsonObject;
  /** Names of the members that lead to the record; empty for a bare record. */
  path: string[];
  /**
   * Whether the response shows the invoice more than once, in different states, so that its current state is unknown.
   */
  isAmbiguous: boolean;
}

/** How closely a record matches the request: by the id that the request names, and by the values that it sent. */
function relationScore(
  { id, amount, dueDate, description }: JsonObject,
  sent: string,
  named: (id: string) => boolean,
): number {
  const shared = [amount, dueDate, description].filter((value) => sent.includes(JSON.stringify(value) ?? '\n'));
  return (typeof id === 'string' && named(id) ? 4 : 0) + shared.length;
}

const MAX_LIST_ITEMS = 5;

/**
 * The invoice record in the body of a response, bare or wrapped at any place. Of several records, prefers the one that
 * matches the request, then the outermost, then the one with the most invoice fields.
 */
export function findInvoiceRecord(
  json: unknown,
  asked: RequestText = { requestLine: '', sentBody: null },
): FoundRecord | null {
  const objects = (value: unknown) =>
    (Array.isArray(value) ? value.slice(0, MAX_LIST_ITEMS) : [value]).filter(isObject);
  const named = idsInRequest(asked);
  let best: { found: Candidate; score: number } | null = null;
  const states = new Map<unknown, Set<unknown>>();
  let level: Candidate[] = objects(json).map((record) => ({ record, path: [] }));
  for (let depth = 0; depth < MAX_SEARCH_DEPTH && level.length > 0; depth += 1) {
    for (const found of level) {
      const alike = fieldScore(found.record);
      if (alike === 0) continue;
      const { id, status } = found.record;
      states.set(id, (states.get(id) ?? new Set()).add(status));
      const score =
        10_000 * relationScore(found.record, asked.sentBody ?? '', named) + 100 * (MAX_SEARCH_DEPTH - depth) + alike;
      if (!best || score > best.score) best = { found, score };
    }
    level = level.flatMap(({ record, path }) =>
      Object.entries(record).flatMap(([name, inner]) =>
        objects(inner).map((child) => ({ record: withParentId(child, name, record), path: [...path, name] })),
      ),
    );
  }
  return best && { ...best.found, isAmbiguous: (states.get(best.found.record.id)?.size ?? 0) > 1 };
}

type Candidate = Omit<FoundRecord, 'isAmbiguous'>;

/** In JSON:API and in many document stores, the id is next to these members and not inside them. */
const ATTRIBUTE_MEMBERS = new Set(['attributes', 'fields', 'properties']);

function withParentId(child: JsonObject, name: string, { id }: JsonObject): JsonObject {
  return ATTRIBUTE_MEMBERS.has(name) && child.id === undefined && typeof id === 'string' ? { id, ...child } : child;
}

/** The records of a list response; empty if it is no list. */
export function listItems(response: Pick<ApiResponse, 'json'>): JsonObject[] {
  const items = isObject(response.json) ? response.json.items : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

const ACTION_OPERATIONS = new Set<string>(['submit', 'approve', 'dispute', 'cancel', 'settle', 'resolve']);
const INVOICE_OPERATIONS = new Set<string>(['create', 'read', ...ACTION_OPERATIONS]);

export interface ObservedRecord {
  record: JsonObject;
  /** List items are complete by contract. */
  isListed: boolean;
}

/** Every invoice record of a response. */
export function invoicesOf(response: ApiResponse): readonly ObservedRecord[] {
  if (!isSuccess(response)) return [];
  if (response.request.operation === 'list') return listItems(response).map((record) => ({ record, isListed: true }));
  if (!INVOICE_OPERATIONS.has(response.request.operation)) return [];
  const record = invoiceIn(response);
  // An action may return a receipt or a dispute, which is similar to an invoice and has an id of its own.
  const own =
    record && (!ACTION_OPERATIONS.has(response.request.operation) || idsInRequest(response)(String(record.id)));
  return record && own ? [{ record, isListed: false }] : [];
}

// About fifteen exchange rules search each response, and one search of an 8 MiB body takes almost a second.
const foundRecordCache = new WeakMap<ApiResponse, FoundRecord | null>();

/** The invoice record in a response, cached for all callers. */
export function foundRecordIn(response: ApiResponse): FoundRecord | null {
  const known = foundRecordCache.get(response);
  if (known !== undefined) return known;
  const found = findInvoiceRecord(response.json, response);
  foundRecordCache.set(response, found);
  return found;
}

/** The invoice in a response, bare or wrapped; without its status if the response shows several. */
export function invoiceIn(response: ApiResponse): JsonObject | undefined {
  const found = foundRecordIn(response);
  if (!found?.isAmbiguous || response.request.operation === 'create') return found?.record;
  const { status: _, ...stateless } = found.record;
  return stateless;
}
