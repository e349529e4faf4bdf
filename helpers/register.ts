import { bindToVitest } from '../engine/bind-vitest.ts';
import type { Check } from './check.ts';
import { Lab } from './lab.ts';
import { tidyUp } from './tidy-up.ts';

/** Registers checks with vitest, in the file that calls it. */
export async function register(checks: readonly Check[]): Promise<void> {
  await bindToVitest({ definitions: checks, labFor: (run, asking) => new Lab(run, asking), tidyUp });
}
