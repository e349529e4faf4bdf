import { type Command, Option } from 'commander';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import { variableOf } from '../engine/target/environment.ts';
import { ACTOR_NAMES, type Target } from '../specs/target.ts';

export interface TargetOptions {
  target?: string;
  baseUrl?: string;
  secrets?: string;
  ca?: string;
}

/** The options by which every command that talks to a server is told which. */
export function withTargetOptions(command: Command): Command {
  return command
    .addOption(new Option('-t, --target <file>', 'target file (YAML or JSON)').env('CONFORMANCE_TARGET'))
    .option(
      '--base-url <url>',
      'base URL of the server; keys then come from CONFORMANCE_SELLER_KEY, CONFORMANCE_SELLER_SECRET …',
    )
    .option('--secrets <file>', 'file of NAME=value lines for the environment references of the target file')
    .option('--ca <file>', 'PEM file with a certificate authority to trust beside the well-known ones');
}

/** Whether flags or environment name a server at all. Throws a ConfigurationFault when only options of one are given. */
export function namesTarget({ target, baseUrl, secrets, ca }: TargetOptions): boolean {
  if (target !== undefined || baseUrl !== undefined || process.env.CONFORMANCE_BASE_URL !== undefined) return true;
  const [variable] = ACTOR_NAMES.map((name) => variableOf(name, 'key')).filter((name) => name && process.env[name]);
  const stray = secrets === undefined ? ca && '--ca' : '--secrets';
  if (stray ?? variable)
    throw new ConfigurationFault(`${stray ?? variable}: belongs to a target; name one with --target or --base-url`);
  return false;
}

/** The target that the options name. Rejects with a ConfigurationFault. */
export async function targetOf({ target, baseUrl, secrets, ca }: TargetOptions): Promise<Target> {
  // Only now: without a target nobody need wait for what reads YAML.
  const { loadTarget } = await import('../engine/target/load.ts');
  return loadTarget({ file: target, baseUrl, ca, envFile: secrets, environment: process.env });
}
