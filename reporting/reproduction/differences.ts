import type { Expectation } from '../../specs/formats/expectation.ts';
import type { CheckReport } from '../../specs/formats/report.ts';
import type { FullExchange } from '../journal/evidence.ts';
import { truncate } from '../text/escape-control-characters.ts';
import { memberPath, parseJson } from '../text/json-path.ts';
import { comparedPart, isObject } from './compared-part.ts';

type Difference = CheckReport['differences'][number];
type NamedField = NonNullable<Expectation['fields']>[number];
type Response = NonNullable<FullExchange['response']>;

/** More differences than this show that two responses have little in common. */
const MAX_DIFFERENCES = 20;
const MAX_VALUE_LENGTH = 300;
const MAX_PATH_LENGTH = 200;
/** A server may nest thousands of values. */
const MAX_DEPTH = 40;

/**
 * The places at which the deciding response of a failed check is not as expected: `status`, or the jq path of a field. Empty if only
 * the kit can judge the response. A wrong status is the only difference: the body then has another meaning.
 */
export function differencesOf(
  expectation: Expectation | null,
  deciding: FullExchange | undefined,
  findExchange: (id: string) => FullExchange | undefined,
): Difference[] {
  if (expectation === null || deciding?.response == null) return [];
  const { response } = deciding;
  const original = (expectation.sameAs === undefined ? null : findExchange(expectation.sameAs)?.response) ?? null;
  const status = statusDifference(original ? [original.status] : expectation.status, response.status);
  if (status.length > 0) return status;
  return bodyDifferences(expectation, response, original)
    .slice(0, MAX_DIFFERENCES)
    .map((difference) => ({ ...difference, path: truncate(difference.path, MAX_PATH_LENGTH) }));
}

function bodyDifferences({ code, fields = [] }: Expectation, response: Response, original: Response | null) {
  const body = parseJson(response.body);
  if (response.truncated || original?.truncated || body === undefined) return [];
  return [
    ...codeDifference(code, body),
    ...(original === null ? [] : replayDifferences(parseJson(original.body), body)),
    ...fields.flatMap((field) => fieldDifference(field, body)),
  ];
}

function statusDifference(expected: Expectation['status'], actual: number): Difference[] {
  if (expected === undefined) return [];
  const isSuccess = (actual >= 200 && actual < 300) || actual === 303;
  const isKept = Array.isArray(expected) ? expected.includes(actual) : isSuccess === (expected === 'success');
  const text = Array.isArray(expected) ? expected.join(' or ') : STATUS_TEXTS[expected];
  return isKept ? [] : [{ path: 'status', expected: text, actual: String(actual) }];
}

const STATUS_TEXTS = { success: '200 to 299', rejection: 'a rejection, such as 400' };

function codeDifference(expected: string | undefined, body: unknown): Difference[] {
  if (expected === undefined) return [];
  const actual = isObject(body) ? (body as { code?: unknown }).code : undefined;
  return actual === expected ? [] : [{ path: '.code', expected: shown(expected), actual: shown(actual) }];
}

function replayDifferences(original: unknown, actual: unknown): Difference[] {
  const part = comparedPart(actual);
  return valueDifferences(comparedPart(original).value, part.value, part.path, 0);
}

/** The members in which two JSON values differ. The order of the members of an object does not matter. */
function valueDifferences(expected: unknown, actual: unknown, path: string, depth: number): Difference[] {
  const areAlike = isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual);
  if (areAlike && depth < MAX_DEPTH) {
    const [before, after] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names].flatMap((name) =>
      valueDifferences(before.get(name), after.get(name), path + memberPath(actual, name), depth + 1),
    );
  }
  return Object.is(expected, actual) ? [] : [{ path, expected: shown(expected), actual: shown(actual) }];
}

/** A named field whose value is not the expected one, or that is wrong in another way. */
function fieldDifference({ path, value }: NamedField, body: unknown): Difference[] {
  let at = body;
  let place = '';
  for (const name of path) {
    place += memberPath(isObject(at) ? at : {}, String(name));
    at = isObject(at) && Object.hasOwn(at, name) ? (at as Record<string | number, unknown>)[name] : undefined;
  }
  const actual = shown(at);
  const expected = value === undefined ? null : shown(value);
  return expected !== null && expected === actual ? [] : [{ path: place, expected, actual }];
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  return isTooDeep(value, MAX_DEPTH) ? '…' : truncate(JSON.stringify(value), MAX_VALUE_LENGTH);
}

function isTooDeep(value: unknown, levels: number): boolean {
  return isObject(value) && (levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));
}
