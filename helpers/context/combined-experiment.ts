import { isOutcome } from '../../engine/model/outcomes.ts';
import type { CheckContext } from './check-context.ts';

/** An experiment that answers the questions of several checks; each is noted when it was seen to end as it should, with what it was seen of. */
export type CombinedExperiment<Question, Found> = (
  ctx: CheckContext,
  seen: (question: Question, found: Found) => void,
) => Promise<void>;

interface ExperimentResult<Question, Found> {
  found: ReadonlyMap<Question, Found>;
  exchanges: readonly string[];
}

/**
 * What a question was seen to end well of, in an experiment that is made once for all who have one of its questions. It tells of nothing
 * else: who gets null makes an experiment of its own, and judges that.
 */
export async function runCombinedExperiment<Question, Found>(
  ctx: CheckContext,
  name: string,
  question: Question,
  experiment: CombinedExperiment<Question, Found>,
): Promise<Found | null> {
  const { found, exchanges } = await ctx.run.memoize(`together: ${name}`, () => runExperiment(ctx, experiment));
  const seen = found.get(question);
  if (seen === undefined) return null;
  ctx.execution.exchanges.push(...exchanges);
  return seen;
}

async function runExperiment<Question, Found>(
  ctx: CheckContext,
  experiment: CombinedExperiment<Question, Found>,
): Promise<ExperimentResult<Question, Found>> {
  const found = new Map<Question, Found>();
  const apart = ctx.withSeparateEvidence();
  await completesWithoutOutcome(() => experiment(apart, (question, what) => found.set(question, what)));
  return { found, exchanges: apart.execution.exchanges };
}

/** False where anything was thrown that a check could say of the server. */
export async function completesWithoutOutcome(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isOutcome(error)) return false;
    throw error;
  }
}
