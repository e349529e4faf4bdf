import { type Command, InvalidArgumentError, Option } from 'commander';
import { selectChecks } from '../engine/run/select-checks.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { profileNames } from '../specs/selection.ts';

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
      parseCommaList,
    );
}

/** The checks that the options name. Throws a ConfigurationError when a filter matches nothing. */
export function selectedChecks(options: SelectionOptions): CheckId[] {
  return selectChecks(options, { profile: '--profile', only: '--only' });
}

/** Given more than once, an option names them all. */
export function parseCommaList(text: string, before: readonly string[] = []): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new InvalidArgumentError('write at least one name, with commas between several.');
  return [...before, ...parts];
}
