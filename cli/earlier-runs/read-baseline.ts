import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { readMappingFile } from '../../engine/target/read-target-file.ts';
import { valueAt } from '../../engine/target/validation/found-value.ts';
import type { Problem } from '../../engine/target/validation/problem.ts';
import { baselineFile, type KnownFailure, knownFailure } from '../../specs/formats/baseline.ts';
import { similarName } from '../../specs/nearest-name.ts';

type Issue = z.core.$ZodIssue;

/** The value that each field takes, worded to follow "write". */
const EXPECTED_VALUES: Readonly<Record<string, string>> = {
  id: 'the id of a check or a requirement, such as LIFE-02.approved-cancel',
  reason: 'why the failure is accepted for now',
  issue: 'the http or https link of the issue that tracks the defect',
  owner: 'the person or team that corrects the defect',
  expires: 'the last day on which the failure is accepted, such as 2027-01-31',
  intermittent: 'true or false, without quotes',
};
const ENTRY_FORM = 'a mapping with id, reason, issue, owner and expires';
const FORM = 'knownFailures, a list of entries with id, reason, issue, owner and expires';

/** The entries of a baseline file. Throws a ConfigurationError with one line for each problem. */
export function readBaseline(file: string, option: string): KnownFailure[] {
  const { value, locationOf, duplicateFields } = readMappingFile(file, {
    option,
    wanted: 'an existing baseline file ("conformance baseline" writes one)',
    content: FORM,
  });
  // For example a target file. Its fields need no line each.
  if (!Object.keys(value).some((name) => similarName(name, ['knownFailures'])))
    throw new ConfigurationError(
      `${option}: ${file} is no baseline: it has no knownFailures; name another file ("conformance baseline" writes one)`,
    );
  const parsed = baselineFile.safeParse(value);
  const problems = [
    ...duplicateFields.map(({ line }) => line),
    ...fieldProblems(parsed.error?.issues ?? [], value).map(({ path, text }) => `${locationOf(path)}: ${text}`),
    ...boundlessEntries(parsed.data?.knownFailures ?? []).map(
      ({ at, text }) => `${locationOf(['knownFailures', at, 'id'])}: ${text}`,
    ),
    ...duplicateEntries(parsed.data?.knownFailures ?? []).map(
      ({ at, text }) => `${locationOf(['knownFailures', at])}: ${text}`,
    ),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(...problems);
  return parsed.data.knownFailures;
}

function fieldProblems(issues: readonly Issue[], content: unknown): Problem[] {
  const problems = issues.flatMap((issue) => issueProblems(issue, content));
  // A misspelt field is also missing under its correct name.
  const isMisspelt = (path: Problem['path']) =>
    problems.some(
      (other) =>
        other.text.endsWith(`; did you mean ${String(path.at(-1))}?`) &&
        isDeepStrictEqual(other.path.slice(0, -1), path.slice(0, -1)),
    );
  return problems.filter(({ path }) => valueAt(content, path) !== undefined || !isMisspelt(path));
}

function issueProblems(issue: Issue, content: unknown): Problem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], text: unknownField(path, key) }));
  const expected = EXPECTED_VALUES[String(path.at(-1))] ?? (path.length < 2 ? FORM : ENTRY_FORM);
  return [{ path, text: `${fieldName(path)}: ${describeFound(valueAt(content, path))}; write ${expected}` }];
}

function describeFound(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || value === '') return 'found no value';
  if (typeof value === 'object') return Array.isArray(value) ? 'found a list' : 'found a mapping';
  return `found ${JSON.stringify(value)}`;
}

function unknownField(path: readonly PropertyKey[], key: string): string {
  const fields = Object.keys(path.length === 0 ? baselineFile.shape : knownFailure.shape);
  const meant = similarName(key, fields);
  const advice =
    meant === undefined
      ? `the fields are ${fields.filter((each) => each !== '$schema').join(', ')}`
      : `did you mean ${meant}?`;
  return `unknown field ${fieldName([...path, key])}; ${advice}`;
}

/** `knownFailures[2].expires`. */
function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path
    .map((name, at) => (typeof name === 'number' ? `[${name}]` : `${at === 0 ? '' : '.'}${String(name)}`))
    .join('');
}

/** An id that every check matches would accept every failure, also those that nobody knows yet. */
function boundlessEntries(entries: readonly KnownFailure[]): { at: number; text: string }[] {
  return entries
    .map(({ id }, at) => ({ id, at }))
    .filter(({ id }) => !/[a-z0-9]/i.test(id))
    .map(({ id, at }) => ({
      at,
      text: `knownFailures[${at}].id: found ${id}, which accepts every failure; write ${EXPECTED_VALUES.id}`,
    }));
}

function duplicateEntries(entries: readonly KnownFailure[]): { at: number; text: string }[] {
  const seen = new Map<string, number>();
  return entries.flatMap(({ id }, at) => {
    const first = seen.get(id.toLowerCase());
    seen.set(id.toLowerCase(), first ?? at);
    return first === undefined
      ? []
      : [{ at, text: `knownFailures[${at}].id: ${id} is also the id of knownFailures[${first}]; keep one of the two` }];
  });
}
