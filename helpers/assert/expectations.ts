import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { type Expectation, RECORDS_FILTER } from '../../specs/formats/expectation.ts';

type Comparable = string | number | boolean | null;

/** The invoice of a read or a change has this value in a field. Undefined for a list, which may show other invoices first. */
export function fieldIs(response: ApiResponse, field: string, value: unknown): Expectation | undefined {
  return ifRead(response, {
    status: 'success',
    body: `[${RECORDS_FILTER}][0].${field} == ${JSON.stringify(value ?? null)}`,
    fields: placeInInvoice(response, field, value ?? null),
  });
}

/** The list item with this id has this value in a field, if the list still has it. */
export function listedFieldIs(response: ApiResponse, id: string, field: string, value: Comparable): Expectation {
  const item = `.id == ${JSON.stringify(id)}`;
  return {
    status: 'success',
    body: `any(.items[]; ${item} and .${field} == ${JSON.stringify(value)})`,
    given: `any(.items[]; ${item})`,
    fields: placeOf(
      response,
      listItems(response).find((record) => record.id === id),
      field,
      value,
    ),
  };
}

/** The invoice of the response has another id. */
export function idIsNot(response: ApiResponse, id: string): Expectation {
  const body = `[${RECORDS_FILTER}][0].id != ${JSON.stringify(id)}`;
  return { status: 'success', body, fields: placeInInvoice(response, 'id') };
}

/** The server rejects the request, or its response shows the invoice with this id. */
export function isRejectedOrShows(response: ApiResponse, id: string): Expectation {
  const body = `$status >= 400 or [${RECORDS_FILTER}][0].id == ${JSON.stringify(id)}`;
  return { body, fields: placeInInvoice(response, 'id', id) };
}

/** A jq filter: the condition holds for this field of every invoice that has it. */
export function everyRecordHas(field: string, condition: string): string {
  return `all(${RECORDS_FILTER} | select(has("${field}")) | .${field}; ${condition})`;
}

/** The expectation of a single read. Without a read operation the kit looks into the list, which always succeeds. */
export function ifRead(response: Pick<ApiResponse, 'request'>, expectation: Expectation): Expectation | undefined {
  return response.request.operation === 'list' ? undefined : expectation;
}

/** A member of the body, such as `limit`, has this value. */
export function memberIs(name: string, value: Comparable): Expectation {
  return { status: 'success', body: `.${name} == ${JSON.stringify(value)}`, fields: [{ path: [name], value }] };
}

/** The status is below this one. */
export function statusBelow(status: number): Expectation {
  return { body: `$status < ${status}` };
}

/** The status is another one. */
export function statusIsNot(status: number): Expectation {
  return { body: `$status != ${status}` };
}

/** Values in a form that compares as the check compares them. Times have fractions of any length. */
const COMPARABLE: Readonly<Record<string, string>> = {
  amount: ' | tonumber',
  createdAt: ' | sub("(Z|[+]00:?00)$"; "") | split(".") | .[0] + "." + ((.[1] // "") + "000000000")[:9]',
};

/** The list items are in the order of a field, if the list still has these two. Amounts compare by value, other fields as text. */
export function listInOrder(
  response: ApiResponse,
  field: string,
  direction: 'asc' | 'desc',
  swapped: readonly JsonObject[],
): Expectation {
  const values = `[.items[].${field}${COMPARABLE[field] ?? ''}]`;
  const body = `${values} | . == (sort${direction === 'desc' ? ' | reverse' : ''})`;
  const given = `[.items[].id] | ${swapped.map(({ id }) => `index(${JSON.stringify(id)}) != null`).join(' and ')}`;
  return { status: 'success', body, given, fields: swapped.flatMap((record) => placeOf(response, record, field)) };
}

/** List items with the same value of a field are next to each other. `apart` is an item that is not. */
export function listGrouped(response: ApiResponse, field: string, apart: JsonObject | undefined): Expectation {
  const changes = '[range(1; length) as $at | select(.[$at] != .[$at - 1])] | length';
  return {
    status: 'success',
    body: `[.items[].${field}] | (unique | length) as $kinds | (${changes}) < ([$kinds, 1] | max)`,
    given: `[.items[].${field}] | unique | length > 1`,
    fields: placeOf(response, apart, field),
  };
}

export type FieldPlaces = NonNullable<Expectation['fields']>;
type Path = FieldPlaces[number]['path'];
type Json = FieldPlaces[number]['value'];
type JsonResponse = Pick<ApiResponse, 'json'>;

/** Records of invoices are near the root. */
const MAX_DEPTH = 6;

/**
 * The place of a field of a record in a response, so that a report can mark it. Empty if the record is not a part of the response, for
 * example because the kit has completed it.
 */
export function placeOf(
  response: JsonResponse,
  record: object | undefined,
  field: string,
  value?: unknown,
): FieldPlaces {
  const path = record === undefined ? null : pathTo(record, response.json, []);
  if (path === null) return [];
  // Every value is from a request or a response, so it is JSON.
  return [{ path: [...path, field], ...(value !== undefined && { value: value as Json }) }];
}

/** The place of a field of the invoice in a response. */
export function placeInInvoice(response: ApiResponse, field: string, value?: unknown): FieldPlaces {
  return placeOf(response, foundRecordIn(response)?.record, field, value);
}

function pathTo(record: object, at: unknown, path: Path): Path | null {
  if (at === record) return path;
  if (typeof at !== 'object' || at === null || path.length >= MAX_DEPTH) return null;
  const members: [string | number, unknown][] = Array.isArray(at) ? [...at.entries()] : Object.entries(at);
  for (const [name, inner] of members) {
    const found = pathTo(record, inner, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}
