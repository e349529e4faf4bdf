import { join } from 'node:path';
import { ConfigurationError } from '../model/configuration-error.ts';
import { loadTarget } from '../target/load-target.ts';
import type { CheckNeeds } from './check-definition.ts';
import type { CheckSuite } from './check-suite.ts';
import { prepareRun } from './prepare-run.ts';
import type { RunPlan } from './run-plan.ts';
import { selectChecks } from './select-checks.ts';

interface EditorSuite extends Pick<CheckSuite<never>, 'customAreas'> {
  readonly definitions: readonly CheckNeeds[];
  readonly customChecks: readonly Pick<CheckNeeds, 'needs'>[];
}

/**
 * The run that an editor or a plain `npx vitest` starts: `CONFORMANCE_TARGET` names the target file,
 * `CONFORMANCE_PROFILE` the profile (full), `CONFORMANCE_ONLY` the checks. Throws a ConfigurationError that names a wrong one.
 */
export async function planFromEnvironment(
  { definitions, customAreas, customChecks }: EditorSuite,
  environment = process.env,
): Promise<RunPlan> {
  const { CONFORMANCE_TARGET: file, CONFORMANCE_PROFILE: profile = 'full', CONFORMANCE_ONLY: only } = environment;
  if (file === undefined && environment.CONFORMANCE_BASE_URL === undefined) {
    throw new ConfigurationError('CONFORMANCE_TARGET is not set: set it to the path of a target file');
  }
  const filtered = only?.split(',');
  const names = { profile: 'CONFORMANCE_PROFILE', only: 'CONFORMANCE_ONLY' };
  const checks = selectChecks({ profile, only: filtered }, names);
  const { plan } = await prepareRun({
    target: loadTarget({ file, fileOption: 'CONFORMANCE_TARGET', environment }),
    checks,
    definitions,
    ...(customAreas.length > 0 && { custom: customAreas }),
    customNeeds: customChecks.flatMap(({ needs }) => needs),
    profile,
    filtered: filtered ?? [],
    names,
    seed: parseSeed(environment.CONFORMANCE_SEED),
    strict: false,
    folder: join(process.cwd(), 'reports', `editor-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`),
    signal: new AbortController().signal,
  });
  return plan;
}

function parseSeed(text: string | undefined): number {
  if (text === undefined) return Date.now() % 1_000_000;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ConfigurationError(
    `CONFORMANCE_SEED: found ${JSON.stringify(text)}; write a whole number from 0 to 999999999 in digits`,
  );
}
