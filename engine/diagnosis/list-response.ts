import { type ApiResponse, bodyMember, describeResponse, headerValue, shorten } from '../model/messages.ts';
import { INVOICE_FIELDS, isObject } from '../records/invoice-records.ts';
import { demandsCertificate, intermediaryHint } from './intermediary.ts';
import { isRedirect, isWebPage } from './operation-binding.ts';

const ENVELOPE_FIELDS = ['items', 'total', 'totalPages', 'page', 'limit'] as const;
/** Statuses that a wrong base URL returns. */
const MISSING_ENDPOINT_STATUSES: ReadonlySet<number> = new Set([404, 405, 410, 501]);
/** A single matching name may be a coincidence. */
const MIN_MATCHING_FIELDS = 2;
const MAX_SHOWN_CHARACTERS = 120;
const MAX_PAGE_CHARACTERS = 80;

type ReceivedResponse = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'>;

/**
 * Why the response to a list request shows another service at the base URL: no list, a web page, a redirect or other JSON.
 * Null if the service under test may have sent it, correct or not.
 */
export function notListReason(response: ReceivedResponse): string | null {
  const { status, headers, mask } = response;
  if (isRedirect(status))
    return `redirects to ${shorten(mask(headerValue({ headers }, 'location') ?? 'nowhere'), MAX_SHOWN_CHARACTERS)}`;
  if (isWebPage(response) && (status < 500 || status === 501))
    return withIntermediaryHint(`returns ${status} with a web page (${firstCharacters(response)})`, response);
  if (MISSING_ENDPOINT_STATUSES.has(status) || isRejectedByIntermediary(response))
    return withIntermediaryHint(`returns ${shorten(describeResponse(response), MAX_SHOWN_CHARACTERS)}`, response);
  if (status < 200 || status > 299 || response.json === undefined) return null;
  if (isListLike(response.json)) return null;
  return `returns ${status} with JSON that is not a list of invoices: ${shorten(mask(response.text), MAX_SHOWN_CHARACTERS)}`;
}

/** The Content-Type and the beginning of a body, on one line. */
function firstCharacters({ headers, text, mask }: ReceivedResponse): string {
  const type = headerValue({ headers }, 'content-type') ?? 'without Content-Type';
  const start = mask(text).replace(/\s+/g, ' ').trim();
  return `${type}: ${start.slice(0, MAX_PAGE_CHARACTERS)}${start.length > MAX_PAGE_CHARACTERS ? '…' : ''}`;
}

/** Whether an intermediary rejected the request. */
export function isRejectedByIntermediary(response: ReceivedResponse): boolean {
  return demandsCertificate(response) || (response.status === 403 && intermediaryHint(response, null) !== null);
}

/** Adds the hint of an intermediary, if there is one. */
function withIntermediaryHint(said: string, response: ReceivedResponse): string {
  const hint = intermediaryHint(response, null);
  return hint === null ? said : `${said}: ${hint}`;
}

/** Whether the JSON is a list in any form: under another name, bare, or with missing fields. */
function isListLike(json: unknown): boolean {
  const records = findRecords(json);
  if (records === null) {
    return (
      isObject(json) && (Object.hasOwn(json, 'items') || countMembers(json, ENVELOPE_FIELDS) >= MIN_MATCHING_FIELDS)
    );
  }
  if (records.length === 0) return true;
  const named = maxMatchingFields(records);
  const around = isObject(json) ? countMembers(json, ENVELOPE_FIELDS) : 0;
  return named + around >= MIN_MATCHING_FIELDS;
}

/** Whether a list contains nothing like an invoice and is not the envelope of an empty list. */
export function isUnrelatedToInvoices({ json }: Pick<ApiResponse, 'json'>): boolean {
  const records = findRecords(json) ?? [];
  if (records.length > 0) return maxMatchingFields(records) < MIN_MATCHING_FIELDS;
  return !(isObject(json) && Array.isArray(json.items) && countMembers(json, ENVELOPE_FIELDS) >= MIN_MATCHING_FIELDS);
}

/** Whether the response to an operation of the contract shows that the endpoint does not exist. A 404 of the service has a code. */
export function isEndpointMissing({ status, json }: Pick<ApiResponse, 'status' | 'json'>): boolean {
  return MISSING_ENDPOINT_STATUSES.has(status) && !/^(INV|CONN)/.test(String(bodyMember({ json }, 'code') ?? ''));
}

/** The largest number of invoice fields in one record. */
function maxMatchingFields(records: readonly object[]): number {
  return Math.max(...records.map((record) => countMembers(record, INVOICE_FIELDS)));
}

function countMembers(value: object, names: readonly string[]): number {
  return names.filter((name) => Object.hasOwn(value, name)).length;
}

/** The objects of the first array in a body, bare or one or two levels down; null if there is no array. */
function findRecords(json: unknown, depth = 2): object[] | null {
  if (Array.isArray(json)) return json.filter(isObject).map((item) => attributesOf(item));
  if (!isObject(json) || depth < 0) return null;
  for (const value of Object.values(json)) {
    const found = findRecords(value, depth - 1);
    if (found) return found;
  }
  return null;
}

/** In JSON:API the fields are one level down. */
function attributesOf(item: object): object {
  const { attributes } = item as { attributes?: unknown };
  return isObject(attributes) ? attributes : item;
}

/** Whether a creation was rejected because this key may not create: 403, and not a code of the gateway. */
export function isCreationForbidden(response: ReceivedResponse): boolean {
  const code = bodyMember(response, 'code');
  return response.status === 403 && !(typeof code === 'string' && code.startsWith('GW_'));
}
