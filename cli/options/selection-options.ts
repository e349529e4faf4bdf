import { type Command, InvalidArgumentError, Option } from 'commander';
import { selectChecks } from '../../engine/run/select-checks.ts';
import { profileNames } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

export interface SelectionOptions {
  profile: string;
  only?: string[];
}

export function withSelectionOptions(command: Command): Command {
  return command
    .addOption(new Option('-p, --profile <name>', 'set of checks').choices(profileNames).default('full'))
    .option(
      '--only <ids>',
      'only these checks of the profile, separated by commas: AUTH,LIFE-04,CREATE-03.number or an area such as lifecycle',
      parseCommaList,
    );
}

/** The checks that the options select. Throws a ConfigurationError if a filter matches nothing. */
export function selectedChecks(options: SelectionOptions, only = '--only'): CheckId[] {
  return selectChecks(options, { profile: '--profile', only });
}

/** Splits at commas. An option that is given more than once adds to its earlier values. */
export function parseCommaList(text: string, before: readonly string[] = []): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new InvalidArgumentError('write at least one name; separate several with commas.');
  return [...before, ...parts];
}
