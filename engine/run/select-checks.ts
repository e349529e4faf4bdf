import { checkCatalogue } from '../../specs/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { checksOfProfile, matching, profileNames, withoutForbidden } from '../../specs/selection.ts';
import type { Target } from '../../specs/target.ts';
import { ConfigurationFault } from '../model/configuration-error.ts';
import { nearest } from '../target/nearest-name.ts';
import type { CheckDefinition } from './check-definition.ts';

export interface Choice {
  profile: string;
  only?: readonly string[] | undefined;
}

/** How the fields of a choice are called where it was made: the names of options, or of variables. */
export type NamesOfChoice = Readonly<Record<keyof Choice, string>>;

/** The checks that profile and filter name together. Throws a ConfigurationFault when one of them names nothing. */
export function chosenChecks({ profile, only }: Choice, names: NamesOfChoice): CheckId[] {
  if (!profileNames.includes(profile)) {
    const meant = nearest(profile, profileNames);
    const hint = meant === undefined ? 'there are' : `did you mean ${meant}? There are`;
    throw new ConfigurationFault(
      `${names.profile}: there is no profile ${profile}; ${hint} ${profileNames.join(', ')}`,
    );
  }
  const inProfile = checksOfProfile(profile);
  if (!only) return inProfile;
  for (const pattern of only) {
    if (matching(pattern).length === 0) {
      throw new ConfigurationFault(
        `${names.only}: ${pattern} names no check, requirement or area; ${hintFor(pattern)}`,
      );
    }
  }
  const named = new Set(only.flatMap((pattern) => matching(pattern)));
  const chosen = inProfile.filter((id) => named.has(id));
  if (chosen.length === 0) {
    throw new ConfigurationFault(
      `${names.only}: ${only.join(',')} names no check of the profile ${profile}; try ${names.profile} full`,
    );
  }
  return chosen;
}

/** What a mistyped name of a check, requirement or area was meant to be, and where all of them are listed. */
export function hintFor(name: string): string {
  const entries = [...checkCatalogue.values()];
  const ids = entries.map(({ id }) => id);
  const requirements = entries.map(({ requirement }) => requirement.id);
  const groups = entries.flatMap(({ requirement: { id, area } }) => [id.split('-')[0] ?? id, area]);
  const meant = nearest(name, [...new Set(name.includes('.') ? ids : [...requirements, ...groups])]);
  const list = '"conformance list" shows them all';
  return meant === undefined ? list : `did you mean ${meant}? (${list})`;
}

/**
 * Splits off the checks that the target file does not allow. Throws a ConfigurationFault when nothing is left to run.
 */
export function allowedChecks(
  checks: readonly CheckId[],
  { profile, only = [] }: Choice,
  target: Pick<Target, 'allow'>,
  names: NamesOfChoice,
): ReturnType<typeof withoutForbidden> {
  const split = withoutForbidden(checks, target.allow);
  if (split.selected.length > 0) return split;
  const fields = [...new Set(split.excluded.map(({ allowance }) => `allow.${allowance}`))].join(', ');
  throw new ConfigurationFault(
    `${inWords({ profile, only }, names)} names only checks that the target file does not allow (${fields}); set ${fields} to true, or name other checks`,
  );
}

/** Throws a ConfigurationFault when each of the checks needs an operation that the target file declares `not-offered`. */
export function insistOnOffered(
  definitions: readonly CheckDefinition<never>[],
  checks: readonly CheckId[],
  choice: Choice,
  { notOffered }: Pick<Target, 'notOffered'>,
  names: NamesOfChoice,
): void {
  const needs = new Map(definitions.map((definition) => [definition.id, definition.needs]));
  const absent = checks.map((id) => notOffered.find((name) => needs.get(id)?.includes(name)));
  if (absent.includes(undefined)) return;
  const fields = [...new Set(absent.map((name) => `operations.${name}`))].join(', ');
  throw new ConfigurationFault(
    `${inWords(choice, names)} names only checks of what the target file declares not-offered (${fields}); bind it, or name other checks`,
  );
}

function inWords({ profile, only = [] }: Choice, names: NamesOfChoice): string {
  return only.length > 0 ? `${names.only}: ${only.join(',')}` : `${names.profile}: ${profile}`;
}
