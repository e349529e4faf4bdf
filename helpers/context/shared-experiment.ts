import { isOutcome } from '../../engine/model/outcomes.ts';
import type { CheckContext } from './check-context.ts';
import { sharedResult } from './shared-result.ts';

/**
 * The result of one experiment that several checks use for their verdicts. Null if it failed or showed anything
 * unexpected: each check then runs its own experiment, so that only the right check fails.
 */
export function sharedExperiment<T>(
  make: (ctx: CheckContext) => Promise<T | null>,
): (ctx: CheckContext) => Promise<T | null> {
  return sharedResult(async (ctx) => {
    try {
      return await make(ctx);
    } catch (error) {
      if (isOutcome(error)) return null;
      throw error;
    }
  });
}
