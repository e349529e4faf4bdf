import { join } from 'node:path';
import { chosenChecks } from './chosen-checks.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import type { CheckDefinition } from './definition.ts';
import { packageRoot } from './kit.ts';
import type { Plan } from './plan.ts';
import { startRun } from './start-run.ts';
import { loadTarget } from './target/load.ts';

/**
 * The run that an editor or a plain `npx vitest` starts: `CONFORMANCE_TARGET` names the target file,
 * `CONFORMANCE_PROFILE` the profile (full), `CONFORMANCE_ONLY` the checks. Throws a ConfigurationFault that names a wrong one.
 */
export async function planFromEnvironment(
  definitions: readonly CheckDefinition<never>[],
  environment = process.env,
): Promise<Plan> {
  const { CONFORMANCE_TARGET: file, CONFORMANCE_PROFILE: profile = 'full', CONFORMANCE_ONLY: only } = environment;
  if (file === undefined && environment.CONFORMANCE_BASE_URL === undefined) {
    throw new ConfigurationFault('CONFORMANCE_TARGET is not set: set it to the path of a target file');
  }
  const filtered = only?.split(',');
  const names = { profile: 'CONFORMANCE_PROFILE', only: 'CONFORMANCE_ONLY' };
  const checks = chosenChecks({ profile, only: filtered }, names);
  const { plan } = await startRun({
    target: loadTarget({ file, fileOption: 'CONFORMANCE_TARGET', environment }),
    checks,
    definitions,
    profile,
    filtered: filtered ?? [],
    names,
    seed: seedOf(environment.CONFORMANCE_SEED),
    strict: false,
    folder: join(packageRoot, 'reports', `editor-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`),
    stop: new AbortController().signal,
  });
  return plan;
}

function seedOf(text: string | undefined): number {
  if (text === undefined) return Date.now() % 1_000_000;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ConfigurationFault(`CONFORMANCE_SEED: ${JSON.stringify(text)} is no whole number from 0 to 999999999`);
}
