import { isOutcome } from '../../engine/model/outcomes.ts';
import type { CheckContext } from './check-context.ts';

/**
 * What one experiment showed that several checks may take their verdicts from; null where it came to nothing, or showed anything odd.
 * Each makes an experiment of its own then, so that a server is failed by the check that names what is wrong, and by no other.
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
