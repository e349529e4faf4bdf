import type { CustomAreaDefinition } from '../helpers/custom/custom-area.ts';
import { register } from '../helpers/register.ts';
import { allChecks } from './all.ts';
import { allRules } from './every-exchange/all-rules.ts';

/**
 * Registers the checks of the kit, and custom checks, with vitest. Call it in one test file of a project that uses
 * `conformanceProject`. One file, so that all checks share one worker: one rate, one budget, one set of connections.
 * Rejects with a ConfigurationError if the environment names no target or a definition is invalid.
 */
export async function registerSuites(...custom: readonly CustomAreaDefinition[]): Promise<void> {
  await register(
    allChecks,
    allRules,
    custom.map((definition, at) => [`custom area ${at + 1}`, definition]),
  );
}
