import type { CheckId } from '../specs/generated/ids.ts';
import { checksOfProfile, matching, profileNames } from '../specs/selection.ts';
import { ConfigurationFault } from './configuration-fault.ts';

export interface Choice {
  profile: string;
  only?: readonly string[] | undefined;
}

/** How the fields of a choice are called where it was made: the names of options, or of variables. */
export type NamesOfChoice = Readonly<Record<keyof Choice, string>>;

/** The checks that profile and filter name together. Throws a ConfigurationFault when one of them names nothing. */
export function chosenChecks({ profile, only }: Choice, names: NamesOfChoice): CheckId[] {
  if (!profileNames.includes(profile)) {
    throw new ConfigurationFault(
      `${names.profile}: there is no profile ${profile}; there are ${profileNames.join(', ')}`,
    );
  }
  const inProfile = checksOfProfile(profile);
  if (!only) return inProfile;
  for (const pattern of only) {
    if (matching(pattern).length === 0) {
      throw new ConfigurationFault(
        `${names.only}: ${pattern} names no check, requirement or area; "conformance list" shows them all`,
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
