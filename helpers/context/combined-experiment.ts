import { isOutcome } from '../../engine/model/outcomes.ts';
import type { CheckContext } from './check-context.ts';

/**
 * An experiment that covers the questions of several checks. It calls `seen` with the result for each question that
 * ended as expected.
 */
export type CombinedExperiment<Question, Found> = (
  ctx: CheckContext,
  seen: (question: Question, found: Found) => void,
) => Promise<void>;

interface ExperimentResult<Question, Found> {
  found: ReadonlyMap<Question, Found>;
  exchanges: readonly string[];
}

/**
 * The expected result for a question, from an experiment that runs once for all checks that share it. Null means that
 * the caller runs and judges its own experiment.
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

/** False if the work threw a check outcome, such as a breach. */
export async function completesWithoutOutcome(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isOutcome(error)) return false;
    throw error;
  }
}
