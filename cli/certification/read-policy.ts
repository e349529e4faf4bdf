import type { KeyObject } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { readMappingFile } from '../../engine/target/read-target-file.ts';
import { valueAt } from '../../engine/target/validation/found-value.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { type Policy, policy } from '../../specs/certification/policy.ts';
import { similarName } from '../../specs/nearest-name.ts';
import { OPERATION_NAMES, targetFile } from '../../specs/target-file/target.ts';
import { readPublicKey } from './certification-files.ts';

/** A policy, and the keys that it names. */
export interface LoadedPolicy {
  readonly policy: Policy;
  readonly keys: readonly KeyObject[];
}

export const DEFAULT_POLICY: LoadedPolicy = { policy: policy.parse({}), keys: [] };

/** The policy of a file. Throws a ConfigurationError with one line for each problem. */
export function readPolicy(file: string): LoadedPolicy {
  const { value, locationOf, duplicateFields } = readMappingFile(file, {
    option: '--policy',
    wanted: 'an existing policy file',
    content: 'the fields of a policy, such as profile and keys',
  });
  const parsed = policy.safeParse(value);
  const problems = [
    ...duplicateFields.map(({ line }) => line),
    ...(parsed.error?.issues ?? []).flatMap((issue) => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map(
          (key) => `${locationOf([...issue.path, key])}: unknown field ${key}; ${fieldAdvice(key)}`,
        );
      const name = issue.path.map(String).join('.');
      const found = JSON.stringify(valueAt(value, issue.path)) ?? 'nothing';
      return [`${locationOf(issue.path)}: ${name}: found ${found}; ${adviceFor(issue.path)}`];
    }),
    ...unknownExceptions(parsed.data?.exceptions ?? []).map(
      ({ at, text }) => `${locationOf(['exceptions', at])}: ${text}`,
    ),
    ...unknownRequirements(parsed.data?.waivers ?? []).map(
      ({ at, text }) => `${locationOf(['waivers', at, 'requirement'])}: ${text}`,
    ),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(...problems);
  const keys = parsed.data.keys.map((path) => readPublicKey(resolve(dirname(file), path), `${file}: keys`));
  return { policy: parsed.data, keys };
}

function fieldAdvice(key: string): string {
  const fields = Object.keys(policy.shape).filter((name) => name !== '$schema');
  const meant = similarName(key, fields);
  return meant === undefined ? `the fields are ${fields.join(', ')}` : `did you mean ${meant}?`;
}

const EXPECTED: Readonly<Record<string, string>> = {
  profile: 'core or full',
  exceptions: 'a list of names, such as reset or delete',
  warnings: 'accept or reject',
  kitVersions: 'a list of versions in quotes',
  kitDigests: 'a list of SHA-256 digests in hexadecimal',
  keys: 'a list of PEM files',
  maxAgeDays: 'a whole number of days, 1 or more',
  maxAttempts: 'a whole number, 1 or more',
  ticket: 'the ticket, as a text',
  tls: 'required or optional',
  waivers: 'a list of waivers, each with requirement, reason, author and expires (a day such as 2027-06-30)',
};

const EXPECTED_OF_WAIVER: Readonly<Record<string, string>> = {
  requirement: 'the id of a requirement, such as LIST-05',
  reason: 'why the desk accepts the breach',
  author: 'who decided',
  expires: 'a day such as 2027-06-30',
};

function adviceFor([field, , part]: readonly PropertyKey[]): string {
  if (field === 'waivers' && part !== undefined) return `write ${EXPECTED_OF_WAIVER[String(part)]}`;
  return `write ${EXPECTED[String(field)] ?? 'a mapping with the fields of a policy'}`;
}

const EXCEPTIONS: readonly string[] = [...Object.keys(targetFile.shape.allow.unwrap().shape), ...OPERATION_NAMES];

function unknownExceptions(names: Policy['exceptions']): { at: number; text: string }[] {
  return names.flatMap((name, at) => {
    if (EXCEPTIONS.includes(name)) return [];
    const meant = similarName(name, EXCEPTIONS);
    const advice = meant === undefined ? `write one of ${EXCEPTIONS.join(', ')}` : `did you mean ${meant}?`;
    return [{ at, text: `exceptions.${at}: found ${name}; ${advice}` }];
  });
}

function unknownRequirements(waivers: Policy['waivers']): { at: number; text: string }[] {
  const ids = requirements.map(({ id }) => id);
  return waivers.flatMap(({ requirement }, at) => {
    if (ids.includes(requirement)) return [];
    const meant = similarName(requirement, ids);
    return [
      {
        at,
        text: `waivers.${at}.requirement: found ${requirement}; ${meant === undefined ? 'write the id of a requirement' : `did you mean ${meant}?`}`,
      },
    ];
  });
}
