import type { Command } from 'commander';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanupCommand } from '../../../cli/commands/cleanup.ts';
import { doctorCommand } from '../../../cli/commands/doctor.ts';
import { explainCommand } from '../../../cli/commands/explain.ts';
import { initCommand } from '../../../cli/commands/init.ts';
import { listCommand } from '../../../cli/commands/list.ts';
import { proveCommand } from '../../../cli/commands/prove.ts';
import { referenceCommand } from '../../../cli/commands/reference.ts';
import { reportCommand } from '../../../cli/commands/report.ts';
import { runCommand } from '../../../cli/commands/run.ts';
import { usageError } from '../../../cli/options/usage-errors.ts';
import { startReference } from '../../../reference/service/start.ts';

afterEach(() => void vi.unstubAllEnvs());

/** The message of the parser for a command line that it rejects. */
async function refusal(command: Command, args: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  command.exitOverride().configureOutput({ outputError: (text) => lines.push(usageError(text, command)) });
  await expect(command.parseAsync(args, { from: 'user' })).rejects.toHaveProperty('exitCode', 1);
  return lines;
}

const FILE = 'name an existing target file';
const FOLDER = 'name a folder';
const NAMES = 'write at least one name; separate several with commas';
const ADDRESS = 'write an absolute http or https URL, such as https://staging.example.com';

describe('an empty value gives one line with the expected value:', () => {
  const OPTIONS: [Command, string, string][] = [
    [runCommand, '--target', FILE],
    [doctorCommand, '--target', FILE],
    [cleanupCommand, '--target', FILE],
    [runCommand, '--base-url', ADDRESS],
    [runCommand, '--secrets', 'name a file of NAME=value lines'],
    [runCommand, '--ca', 'name a PEM file'],
    [runCommand, '--out', FOLDER],
    [proveCommand, '--out', FOLDER],
    [runCommand, '--only', NAMES],
    [listCommand, '--only', NAMES],
    [runCommand, '--last-failed', 'name the folder of a run or of a history'],
    [runCommand, '--profile', 'write one of smoke, core, full, read-only'],
    [runCommand, '--seed', 'write a whole number'],
    [referenceCommand, '--port', 'write a port from 0 to 65535'],
    [referenceCommand, '--host', 'name an address of this machine, such as 127.0.0.1'],
  ];

  test.each(OPTIONS.map(([command, option, advice]) => ({ command, name: command.name(), option, advice })))(
    'of $name $option',
    async ({ command, option, advice }) => {
      expect(await refusal(command, [option, ''])).toEqual([`${option}: found ""; ${advice}`]);
      expect(await refusal(command, [`${option}=`])).toEqual([`${option}: found ""; ${advice}`]);
    },
  );

  const ARGUMENTS: [Command, string][] = [
    [initCommand, '<file>: found ""; name the file to write, such as target.yaml'],
    [explainCommand, '<id>: found ""; name a requirement or a check, such as AUTH-03'],
    [reportCommand, '<dir>: found ""; name the folder of a run'],
  ];

  test.each(ARGUMENTS.map(([command, line]) => ({ command, name: command.name(), line })))(
    'of the argument of $name',
    async ({ command, line }) => {
      expect(await refusal(command, [''])).toEqual([line]);
    },
  );

  test('and a value of spaces counts as empty', async () => {
    expect(await refusal(referenceCommand, ['--port', ' '])).toEqual([
      '--port: found " "; write a port from 0 to 65535',
    ]);
    expect(await refusal(runCommand, ['--out', ' '])).toEqual([`--out: found " "; ${FOLDER}`]);
  });
});

test('a value of several lines gives one line as well', async () => {
  expect(await refusal(runCommand, ['--seed', '1\n2'])).toEqual(['--seed: found "1\\n2"; write a whole number']);
  expect(await refusal(runCommand, ['--sed', '1'])).toEqual(['unknown option --sed; did you mean --seed?']);
  expect(await refusal(runCommand, ['--zz\nyy'])).toEqual(['unknown option --zz yy; --help lists the options']);
});

test('an option that takes no value says so if it has one', async () => {
  expect(await refusal(runCommand, ['--strict=true'])).toEqual(['--strict: takes no value; write --strict alone']);
});

test('an unknown option with a value behind = is named without the value, which may be a secret', async () => {
  expect(await refusal(runCommand, ['--sed=1'])).toEqual(['unknown option --sed; did you mean --seed?']);
  expect(await refusal(runCommand, ['--output=x'])).toEqual(['unknown option --output; did you mean --out?']);
  expect(await refusal(runCommand, ['--password=a=b'])).toEqual([
    'unknown option --password; --help lists the options',
  ]);
});

describe('CONFORMANCE_TARGET', () => {
  // Without the rejection, the kit would judge the reference service instead of the intended server, and pass.
  test('that is empty does not count as unset', async () => {
    vi.stubEnv('CONFORMANCE_TARGET', '');
    expect(await refusal(runCommand, [])).toEqual([`CONFORMANCE_TARGET: found ""; ${FILE}, or unset it`]);
  });

  test.each([runCommand, doctorCommand, cleanupCommand].map((command) => ({ command, name: command.name() })))(
    'that names no file is named in the message of $name',
    async ({ command }) => {
      vi.stubEnv('CONFORMANCE_TARGET', '/nowhere/x.yaml');
      await expect(command.parseAsync([], { from: 'user' })).rejects.toThrow(
        'CONFORMANCE_TARGET: cannot read /nowhere/x.yaml (ENOENT); give the path of an existing target file',
      );
    },
  );

  test('is ignored if --target names the file', async () => {
    vi.stubEnv('CONFORMANCE_TARGET', '');
    await expect(runCommand.parseAsync(['--target', '/nowhere/y.yaml'], { from: 'user' })).rejects.toThrow(
      '--target: cannot read /nowhere/y.yaml (ENOENT); give the path of an existing target file',
    );
  });
});

describe('an address on which the kit cannot listen', () => {
  test('is reported for --port if another program uses the port', async () => {
    const service = await startReference();
    onTestFinished(() => service.close());
    const { port } = new URL(service.baseUrl);
    await expect(referenceCommand.parseAsync(['--port', port], { from: 'user' })).rejects.toThrow(
      `--port: cannot listen on 127.0.0.1:${port} (EADDRINUSE); name a free port`,
    );
  });

  test.each(['no host', '192.0.2.1'])('is the fault of --host: %s', async (host) => {
    await expect(referenceCommand.parseAsync(['--host', host], { from: 'user' })).rejects.toThrow(
      /^--host: cannot listen on .* \(E[A-Z_]+\); name an address of this machine, such as 127\.0\.0\.1$/,
    );
  });
});
