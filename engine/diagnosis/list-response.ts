import { type ApiResponse, bodyMember, describeResponse, headerValue, shorten } from '../model/messages.ts';
import { INVOICE_FIELDS, isObject } from '../records/find-invoice-record.ts';
import { demandsCertificate, intermediaryHint } from './intermediary.ts';
import { isRedirect, isWebPage } from './operation-binding.ts';

const ENVELOPE_FIELDS = ['items', 'total', 'totalPages', 'page', 'limit'] as const;
/** Statuses that a wrong base URL gets: no such page, no such method, no such service. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 410, 501]);
/** One name alone could be anybody's. */
const MIN_NAMES = 2;
const MAX_SHOWN = 120;

type Received = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'masked'>;

/**
 * How the answer to a list shows that something else than the service is at the base URL: no list at all, a web page, a redirect,
 * another JSON service. Null where the service may have given it, rightly or wrongly.
 */
export function noListBecause(answer: Received): string | null {
  const { status, headers, masked } = answer;
  if (isRedirect(status))
    return `redirects to ${shorten(masked(headerValue({ headers }, 'location') ?? 'nowhere'), MAX_SHOWN)}`;
  if (isWebPage(answer) && (status < 500 || status === 501)) return hinted(`answers ${status} with a web page`, answer);
  if (NOT_THERE.has(status) || isTurnedAway(answer))
    return hinted(`answers ${shorten(describeResponse(answer), MAX_SHOWN)}`, answer);
  if (status < 200 || status > 299 || answer.json === undefined) return null;
  if (looksLikeList(answer.json)) return null;
  return `answers ${status} with JSON that is no list of invoices: ${shorten(masked(answer.text), MAX_SHOWN)}`;
}

/** Whether something in front of the service let the request not through. */
export function isTurnedAway(answer: Received): boolean {
  return demandsCertificate(answer) || (answer.status === 403 && intermediaryHint(answer, null) !== null);
}

/** With what an answer says of who gave it. */
function hinted(said: string, answer: Received): string {
  const hint = intermediaryHint(answer, null);
  return hint === null ? said : `${said}: ${hint}`;
}

/** A list in whatever form: under another name, bare, or with fields missing, it is still the service that answers. */
function looksLikeList(json: unknown): boolean {
  const records = recordsWithin(json);
  if (records === null) {
    return isObject(json) && (Object.hasOwn(json, 'items') || count(json, ENVELOPE_FIELDS) >= MIN_NAMES);
  }
  if (records.length === 0) return true;
  const named = mostNamed(records);
  const around = isObject(json) ? count(json, ENVELOPE_FIELDS) : 0;
  return named + around >= MIN_NAMES;
}

/** Whether nothing in a list tells of an invoice, and it is not the envelope of an empty list either. */
export function showsNothingOfInvoices({ json }: Pick<ApiResponse, 'json'>): boolean {
  const records = recordsWithin(json) ?? [];
  if (records.length > 0) return mostNamed(records) < MIN_NAMES;
  return !(isObject(json) && Array.isArray(json.items) && count(json, ENVELOPE_FIELDS) >= MIN_NAMES);
}

/** Whether an operation of the contract is answered as if it did not exist: the service itself says so with a code of its own. */
export function isNotThere({ status, json }: Pick<ApiResponse, 'status' | 'json'>): boolean {
  return NOT_THERE.has(status) && !/^(INV|CONN)/.test(String(bodyMember({ json }, 'code') ?? ''));
}

/** How many fields of an invoice the record has that has most of them. */
function mostNamed(records: readonly object[]): number {
  return Math.max(...records.map((record) => count(record, INVOICE_FIELDS)));
}

function count(value: object, names: readonly string[]): number {
  return names.filter((name) => Object.hasOwn(value, name)).length;
}

/** The objects of the first array in a body, bare or one or two levels down; null where there is no array. */
function recordsWithin(json: unknown, depth = 2): object[] | null {
  if (Array.isArray(json)) return json.filter(isObject).map((item) => attributesOf(item));
  if (!isObject(json) || depth < 0) return null;
  for (const value of Object.values(json)) {
    const found = recordsWithin(value, depth - 1);
    if (found) return found;
  }
  return null;
}

/** In JSON:API the fields stand one level down. */
function attributesOf(item: object): object {
  const { attributes } = item as { attributes?: unknown };
  return isObject(attributes) ? attributes : item;
}

/** Whether a creation was refused because this key may not create: 403, and not a code of the gateway. */
export function isForbidden(answer: Received): boolean {
  const code = bodyMember(answer, 'code');
  return answer.status === 403 && !(typeof code === 'string' && code.startsWith('GW_'));
}
