import { type Command, Option } from 'commander';
import { ConfigurationError } from '../engine/model/configuration-error.ts';
import { actorVariable } from '../engine/target/environment-variables.ts';
import { ACTOR_NAMES, type Target } from '../specs/target.ts';
import { nonEmptyParser } from './option-values.ts';

const TARGET_VARIABLE = 'CONFORMANCE_TARGET';

export interface TargetOptions {
  target?: string;
  /** What names the target file where no option does. */
  targetVariable?: string;
  baseUrl?: string;
  secrets?: string;
  ca?: string;
}

/** The options by which every command that talks to a server is told which. */
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
      'PEM file with a certificate authority to trust beside the well-known ones',
      nonEmptyParser('name a PEM file'),
    )
    .hook('preAction', (_, called) => {
      if (called.getOptionValueSource('target') === 'env') called.setOptionValue('targetVariable', TARGET_VARIABLE);
    });
}

/** Whether flags or environment name a server at all. Throws a ConfigurationError when only options of one are given. */
export function hasTarget({ target, baseUrl, secrets, ca }: TargetOptions): boolean {
  if (target !== undefined || baseUrl !== undefined || process.env.CONFORMANCE_BASE_URL !== undefined) return true;
  const [variable] = ACTOR_NAMES.map((name) => actorVariable(name, 'key')).filter((name) => name && process.env[name]);
  const stray = secrets === undefined ? ca && '--ca' : '--secrets';
  if (stray ?? variable)
    throw new ConfigurationError(`${stray ?? variable}: belongs to a target; name one with --target or --base-url`);
  return false;
}

/** The target that the options name. Rejects with a ConfigurationError. */
export async function resolveTarget({ target, targetVariable, baseUrl, secrets, ca }: TargetOptions): Promise<Target> {
  // Only now: without a target nobody need wait for what reads YAML.
  const { loadTarget } = await import('../engine/target/load-target.ts');
  return loadTarget({
    file: target,
    fileOption: targetVariable,
    baseUrl,
    ca,
    envFile: secrets,
    environment: process.env,
  });
}
