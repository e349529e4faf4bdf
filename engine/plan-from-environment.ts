import { join } from 'node:path';
import { checksOfProfile, matching } from '../specs/selection.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import { packageRoot } from './kit.ts';
import type { Plan } from './plan.ts';
import { startRun } from './start-run.ts';
import { loadTarget } from './target/load.ts';

/**
 * The run that an editor or a plain `npx vitest` starts: `CONFORMANCE_TARGET` names the target file,
 * `CONFORMANCE_PROFILE` the profile (full), `CONFORMANCE_ONLY` the checks.
 */
export async function planFromEnvironment(environment = process.env): Promise<Plan> {
  const { CONFORMANCE_TARGET: file, CONFORMANCE_PROFILE: profile = 'full', CONFORMANCE_ONLY: only } = environment;
  if (file === undefined && environment.CONFORMANCE_BASE_URL === undefined) {
    throw new ConfigurationFault('CONFORMANCE_TARGET is not set: set it to the path of a target file');
  }
  const filtered = only?.split(',') ?? [];
  const inside = new Set(filtered.flatMap((pattern) => matching(pattern)));
  const { plan } = await startRun({
    target: loadTarget({ file, environment }),
    checks: checksOfProfile(profile).filter((id) => filtered.length === 0 || inside.has(id)),
    profile,
    filtered,
    seed: Number(environment.CONFORMANCE_SEED ?? Date.now() % 1_000_000),
    strict: false,
    folder: join(packageRoot, 'reports', `editor-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`),
    stop: new AbortController().signal,
  });
  return plan;
}
