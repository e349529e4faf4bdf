import { bindToVitest } from '../engine/vitest/register-checks.ts';
import type { Check } from './context/check.ts';
import { repertoireOf } from './repertoire.ts';

/** Registers checks with vitest, in the file that calls it. */
export async function register(checks: readonly Check[]): Promise<void> {
  await bindToVitest(repertoireOf(checks));
}
