import type { ExchangeRule } from '../engine/judges/exchange-rule.ts';
import { bindToVitest } from '../engine/vitest/register-checks.ts';
import { createCheckSuite } from './check-suite.ts';
import type { Check } from './context/check.ts';

/** Registers checks and rules with vitest, in the file that calls it. */
export async function register(checks: readonly Check[], rules: readonly ExchangeRule[]): Promise<void> {
  await bindToVitest(createCheckSuite(checks, rules));
}
