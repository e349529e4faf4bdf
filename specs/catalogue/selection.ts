import { z } from 'zod';
import { readDataFile } from '../data.ts';
import type { CheckId } from '../generated/ids.ts';
import { type CatalogueCheck, checkCatalogue } from './catalogue.ts';
import { type CheckNames, checkMatcher, namesForPatterns } from './patterns.ts';

const profile = z.strictObject({
  title: z.string(),
  checks: z.array(z.string()),
  without: z.array(z.string()).default([]),
});

const profiles: Readonly<Record<string, z.infer<typeof profile>>> = {
  smoke: profile.parse(readDataFile('catalogue/smoke')),
  ...z.record(z.string(), profile).parse(readDataFile('catalogue/profiles')),
};

const checksByName = indexChecks();

export const profileNames: readonly string[] = Object.keys(profiles);

/** The purpose of a profile, in one line. */
export function profileTitle(name: string): string {
  return findProfile(name).title;
}

/**
 * The checks that a pattern names: a check id, a requirement id, the letters before its number (`AUTH`), an area. `*` stands for
 * any characters. Ignores case. Returns an empty list if nothing matches.
 */
export function matchChecks(pattern: string): CheckId[] {
  if (!pattern.includes('*')) return [...(checksByName.get(pattern.trim().toLowerCase()) ?? [])];
  const isNamed = checkMatcher(pattern);
  return [...checkCatalogue.values()].filter((check) => isNamed(namesOf(check))).map(({ id }) => id);
}

function indexChecks(): ReadonlyMap<string, readonly CheckId[]> {
  const index = new Map<string, CheckId[]>();
  for (const check of checkCatalogue.values()) {
    for (const name of new Set(namesForPatterns(namesOf(check))))
      index.set(name, [...(index.get(name) ?? []), check.id]);
  }
  return index;
}

function namesOf({ id, requirement }: CatalogueCheck): CheckNames {
  return { id, requirement: requirement.id, area: requirement.area };
}

/** The checks of a profile, in the contract's order. Throws if the profile does not exist or contains no check. */
export function checksOfProfile(name: string): CheckId[] {
  const { checks, without } = findProfile(name);
  const named = (patterns: string[]) => new Set(patterns.flatMap((pattern) => requireMatch(pattern, name)));
  const inside = named(checks);
  const outside = named(without);
  return [...checkCatalogue.keys()].filter((id) => inside.has(id) && !outside.has(id));
}

function findProfile(name: string): z.infer<typeof profile> {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!found) throw new Error(`no profile ${name}; there are ${profileNames.join(', ')}`);
  return found;
}

function requireMatch(pattern: string, profileName: string): CheckId[] {
  const ids = matchChecks(pattern);
  if (ids.length === 0)
    throw new Error(`specs/catalogue/profiles.yaml: ${profileName} names ${pattern}, which matches no check`);
  return ids;
}

const allowances = z.enum(['reset', 'rateLimitProbe', 'productionWrites']);
type Allowance = z.infer<typeof allowances>;

const optIn = z.record(allowances, z.array(z.string())).parse(readDataFile('catalogue/opt-in'));

/** Why a shard leaves out a check that the target file allows. */
export const LEFT_OUT_BY_SHARD = 'it would disturb the other shards; judge it without --shard';

/** Splits off the checks that the target file does not allow, each with the field that would allow it. */
export function excludeForbidden(
  ids: readonly CheckId[],
  allow: Readonly<Record<Allowance, boolean>>,
): { selected: CheckId[]; excluded: { check: CheckId; allowance: Allowance; reason: string }[] } {
  const forbidden = new Map<CheckId, Allowance>(
    allowances.options
      .filter((name) => !allow[name])
      .flatMap((name) => optIn[name].flatMap((pattern) => matchChecks(pattern)).map((id) => [id, name] as const)),
  );
  return {
    selected: ids.filter((id) => !forbidden.has(id)),
    excluded: ids.flatMap((check) => {
      const name = forbidden.get(check);
      return name ? [{ check, allowance: name, reason: `allow.${name} of the target file is not true` }] : [];
    }),
  };
}
