import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import type { Expectation } from '../../specs/formats/expectation.ts';

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
