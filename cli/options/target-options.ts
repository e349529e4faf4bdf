import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { actorVariable } from '../../engine/target/environment-variables.ts';
import { similarName } from '../../specs/nearest-name.ts';
import { ACTOR_NAMES, type Target } from '../../specs/target-file/target.ts';
import { nonEmptyParser } from './option-values.ts';

const TARGET_VARIABLE = 'CONFORMANCE_TARGET';
const BASE_URL_VARIABLE = 'CONFORMANCE_BASE_URL';

export interface TargetOptions {
  target?: string;
  /** The environment variable that names the target file, if no option does. */
  targetVariable?: string;
  baseUrl?: string;
  secrets?: string;
  ca?: string;
}

/** Adds the options that select a server. */
export function withTargetOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-t, --target <file>', 'target file (YAML or JSON)')
        .env(TARGET_VARIABLE)
        .argParser(nonEmptyParser('name an existing target file')),
    )
    .option(
      '--base-url <url>',
      'base URL of the server; keys then come from CONFORMANCE_SELLER_KEY, CONFORMANCE_SELLER_SECRET …',
      nonEmptyParser('write an absolute http or https URL, such as https://staging.example.com'),
    )
    .option(
      '--secrets <file>',
      'file of NAME=value lines for the environment references of the target file',
      nonEmptyParser('name a file of NAME=value lines'),
    )
    .option(
      '--ca <file>',
      'PEM file with a certificate authority to trust in addition to the well-known ones',
      nonEmptyParser('name a PEM file'),
    )
    .hook('preAction', (_, called) => {
      if (called.getOptionValueSource('target') === 'env') called.setOptionValue('targetVariable', TARGET_VARIABLE);
    });
}

/** The options that name the server, for a command to run again: `--target`, `staging.yaml`. Empty if the environment names it. */
export function targetArguments({ target, baseUrl, secrets, ca }: TargetOptions): string[] {
  const named = { '--target': target, '--base-url': baseUrl, '--secrets': secrets, '--ca': ca };
  return Object.entries(named).flatMap(([option, value]) => (value === undefined ? [] : [option, value]));
}

const PREFIX = 'CONFORMANCE_';

/** The problem of a variable whose name resembles one that names a server; null if there is none. */
function misspeltVariable(names: readonly string[]): string | null {
  const own = [TARGET_VARIABLE, BASE_URL_VARIABLE].map((name) => name.slice(PREFIX.length));
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    // Without the prefix, which would make any two of these names similar.
    const meant = similarName(name.slice(PREFIX.length), own);
    if (meant !== undefined && name !== PREFIX + meant)
      return `${name}: unknown variable; did you mean ${PREFIX}${meant}?`;
  }
  return null;
}

/** Whether options or environment name a server. Throws a ConfigurationError if they only contain settings of a server. */
export function hasTarget({ target, baseUrl, secrets, ca }: TargetOptions): boolean {
  if (target !== undefined || baseUrl !== undefined || process.env[BASE_URL_VARIABLE] !== undefined) return true;
  const [variable] = ACTOR_NAMES.map((name) => actorVariable(name, 'key')).filter((name) => name && process.env[name]);
  const misspelt = misspeltVariable(Object.keys(process.env));
  if (misspelt) throw new ConfigurationError(misspelt);
  const stray = secrets === undefined ? ca && '--ca' : '--secrets';
  if (stray ?? variable)
    throw new ConfigurationError(`${stray ?? variable}: needs a target; name one with --target or --base-url`);
  return false;
}

/** The target that the options name. Rejects with a ConfigurationError. */
export async function resolveTarget({ target, targetVariable, baseUrl, secrets, ca }: TargetOptions): Promise<Target> {
  // Loaded on demand: the YAML parser slows down the start.
  const { loadTarget } = await import('../../engine/target/load-target.ts');
  return loadTarget({
    file: target,
    fileOption: targetVariable,
    baseUrl,
    ca,
    envFile: secrets,
    environment: process.env,
  });
}
