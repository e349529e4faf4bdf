import type { ExchangeRule } from '../engine/judges/exchange-rule.ts';
import { ConfigurationError } from '../engine/model/configuration-error.ts';
import { registerChecks } from '../engine/vitest/register-checks.ts';
import { createCheckSuite } from './check-suite.ts';
import type { Check } from './context/check.ts';
import { readCustomAreas } from './custom/custom-area.ts';

/**
 * Registers checks and rules with vitest, in the file that calls it. `custom`: files with custom checks and their default exports.
 * Rejects with a ConfigurationError if a definition is invalid.
 */
export async function register(
  checks: readonly Check[],
  rules: readonly ExchangeRule[],
  custom: readonly (readonly [file: string, definition: unknown])[] = [],
): Promise<void> {
  const { areas, problems } = readCustomAreas(custom);
  if (problems.length > 0) throw new ConfigurationError(...problems);
  await registerChecks(createCheckSuite(checks, rules, areas));
}
