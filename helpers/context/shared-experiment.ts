import { isOutcome } from '../../engine/model/outcomes.ts';
import type { CheckContext } from './check-context.ts';

/**
 * The result of one experiment that several checks use for their verdicts. Null if it failed or showed anything
 * unexpected: each check then runs its own experiment, so that only the right check fails.
 */
export async function runSharedExperiment<T>(
  ctx: CheckContext,
  key: string,
  make: () => Promise<T | null>,
): Promise<T | null> {
  return await ctx.run.memoize(key, async () => {
    try {
      return await make();
    } catch (error) {
      if (isOutcome(error)) return null;
      throw error;
    }
  });
}
