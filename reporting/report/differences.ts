import type { Expectation } from '../../specs/expectation.ts';
import type { CheckReport } from '../../specs/report.ts';
import type { FullExchange } from '../journal/evidence.ts';
import { truncate } from '../text/escape-control-characters.ts';
import { memberPath, parseJson } from '../text/json-path.ts';

type Difference = CheckReport['differences'][number];
type NamedField = NonNullable<Expectation['fields']>[number];
type Found = readonly [path: string, value: unknown];

/** More differences than this show that two responses have little in common. */
const MAX_DIFFERENCES = 20;
const MAX_VALUE_LENGTH = 300;

/**
 * The places at which the deciding response of a failed check is not as expected: `status`, or the jq path of a field. Empty if only
 * the kit can judge the response.
 */
export function differencesOf(
  expectation: Expectation | null,
  deciding: FullExchange | undefined,
  findExchange: (id: string) => FullExchange | undefined,
): Difference[] {
  if (expectation === null || deciding?.response == null) return [];
  const original = expectation.sameAs === undefined ? null : findExchange(expectation.sameAs)?.response;
  const { status, body } = deciding.response;
  const actual = parseJson(body);
  const differences = [
    ...statusDifference(original ? [original.status] : expectation.status, status),
    ...codeDifference(expectation.code, actual),
    ...(original ? valueDifferences(parseJson(original.body), actual, '') : []),
    ...(expectation.fields ?? []).flatMap((field) => fieldDifferences(field, actual)),
  ];
  return differences.slice(0, MAX_DIFFERENCES);
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

/** The members in which two JSON values differ. The order of the members of an object does not matter. */
function valueDifferences(expected: unknown, actual: unknown, path: string): Difference[] {
  if (isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    const [before, after] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names].flatMap((name) =>
      valueDifferences(before.get(name), after.get(name), path + memberPath(actual, name)),
    );
  }
  return Object.is(expected, actual) ? [] : [{ path: path || '.', expected: shown(expected), actual: shown(actual) }];
}

/** A field with another value than the expected one. Without an expected value, the field wherever the response has it. */
function fieldDifferences({ name, of, value }: NamedField, body: unknown): Difference[] {
  const found = findField(name, of, body, '');
  const expected = value === undefined ? null : shown(value);
  if (found.length === 0) return isObject(body) ? [{ path: memberPath({}, name), expected, actual: null }] : [];
  const judged = value === undefined ? found : found.slice(0, 1);
  return judged
    .filter(([, actual]) => value === undefined || JSON.stringify(actual) !== JSON.stringify(value))
    .map(([path, actual]) => ({ path, expected, actual: shown(actual) }));
}

/** Every place of a field, outer ones first. `of` restricts it to the record with this id. */
function findField(name: string, of: string | undefined, body: unknown, path: string): Found[] {
  if (!isObject(body)) return [];
  const members = Object.entries(body);
  const isMeant = of === undefined || (body as { id?: unknown }).id === of;
  const own = members.filter(([each]) => isMeant && !Array.isArray(body) && each === name);
  return [
    ...own.map(([each, value]): Found => [path + memberPath(body, each), value]),
    ...members.flatMap(([each, value]) => findField(name, of, value, path + memberPath(body, each))),
  ];
}

function shown(value: unknown): string | null {
  return value === undefined ? null : truncate(JSON.stringify(value), MAX_VALUE_LENGTH);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
