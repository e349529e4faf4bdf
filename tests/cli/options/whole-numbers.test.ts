import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { referenceCommand } from '../../../cli/commands/reference.ts';
import { runCommand } from '../../../cli/commands/run.ts';
import { usageError } from '../../../cli/options/usage-errors.ts';

/** The line about an option with this value; null if the option accepts it. */
function complaint(command: Command, option: string, value: string): string | null {
  const found = command.options.find(({ long }) => long === option);
  if (found === undefined) throw new Error(`there is no option ${option}`);
  const tried = new Command()
    .addOption(found)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    tried.parse([`${option}=${value}`], { from: 'user' });
    return null;
  } catch (error) {
    return usageError((error as Error).message, tried);
  }
}

const OPTIONS: [string, Command, string, string][] = [
  ['--budget', runCommand, 'write a whole number, 1 or more', '1000'],
  ['--max-requests', runCommand, 'write a whole number, 1 or more', '1000'],
  ['--concurrency', runCommand, 'write a whole number from 1 to 256', '256'],
  ['--seed', runCommand, 'write a whole number', '0'],
  ['--keep', runCommand, 'write a whole number from 1 to 999999', '90'],
  ['--port', referenceCommand, 'write a port from 0 to 65535', '65535'],
];

describe.each(OPTIONS)('%s', (option, command, advice, accepted) => {
  test('accepts plain digits', () => expect(complaint(command, option, accepted)).toBeNull());

  test.each(['1e2', '0x10', '1_000', ' 5 ', '+5', '-5', '5.0', 'Infinity', 'NaN', '', '\u0665', '9'.repeat(30)])(
    'rejects %j with one line',
    (value) => {
      expect(complaint(command, option, value)).toBe(`${option}: found ${JSON.stringify(value)}; ${advice}`);
    },
  );
});
