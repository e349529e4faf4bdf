import { RECORD_FIELDS, RECORDS_FILTER } from '../../specs/formats/expectation.ts';
import { memberPath } from '../text/json-path.ts';

/** A part of a body, with its jq path. */
export interface BodyPart {
  readonly value: unknown;
  readonly path: string;
}

/** Members that differ in every response. */
const ENVELOPE_PATTERN = '^(_?meta|timestamp|servedAt|(trace|correlation|span|request)Id)$';
/** Records of invoices are near the root. */
const MAX_DEPTH = 6;

/** The jq filter of `comparedPart`. */
export const COMPARED_FILTER =
  `[${RECORDS_FILTER}][0] // ` +
  `(if type == "object" then with_entries(select(.key | test("${ENVELOPE_PATTERN}"; "i") | not)) else . end)`;

/** The part of a body that the response to a replay must repeat: the invoice, or else the body without the members of an envelope. */
export function comparedPart(body: unknown): BodyPart {
  const record = findRecord({ value: body, path: '' }, 0);
  if (record !== null) return record;
  if (!isObject(body) || Array.isArray(body)) return { value: body, path: '' };
  const own = Object.entries(body).filter(([name]) => !new RegExp(ENVELOPE_PATTERN, 'i').test(name));
  return { value: Object.fromEntries(own), path: '' };
}

/** The first object with at least two fields of an invoice, outer ones first. */
function findRecord({ value, path }: BodyPart, depth: number): BodyPart | null {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  if (!Array.isArray(value) && RECORD_FIELDS.filter((field) => Object.hasOwn(value, field)).length > 1)
    return { value, path };
  for (const [name, inner] of Object.entries(value)) {
    const found = findRecord({ value: inner, path: path + memberPath(value, name) }, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
