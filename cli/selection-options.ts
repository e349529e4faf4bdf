import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { checksOfProfile, matching, profileNames } from '../specs/selection.ts';

export interface SelectionOptions {
  profile: string;
  only?: string[];
}

export function withSelectionOptions(command: Command): Command {
  return command
    .addOption(new Option('-p, --profile <name>', 'which checks').choices(profileNames).default('full'))
    .option(
      '--only <ids>',
      'only these checks of the profile: AUTH,LIFE-04,CREATE-03.number or an area, with commas',
      commas,
    );
}

/** The checks that profile and filter name together. Throws a ConfigurationFault when a filter matches nothing. */
export function checksOf({ profile, only }: SelectionOptions): CheckId[] {
  const inProfile = checksOfProfile(profile);
  if (!only) return inProfile;
  for (const pattern of only) {
    if (matching(pattern).length === 0) {
      throw new ConfigurationFault(
        `--only: ${pattern} names no check, requirement or area; "conformance list" shows them all`,
      );
    }
  }
  const named = new Set(only.flatMap((pattern) => matching(pattern)));
  const chosen = inProfile.filter((id) => named.has(id));
  if (chosen.length === 0)
    throw new ConfigurationFault(
      `--only: ${only.join(',')} names no check of the profile ${profile}; try --profile full`,
    );
  return chosen;
}

export function commas(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new InvalidArgumentError('name at least one.');
  return parts;
}
