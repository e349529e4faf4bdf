import { runState } from '../../engine/ledger/run-ledger.ts';
import { isOutcome } from '../../engine/model/outcomes.ts';
import type { CheckContext } from './check.ts';

/**
 * A result, or a failure, that the first caller in a run computes and all callers share. `make` gets the further
 * arguments of the first caller.
 */
export function sharedResult<T, More extends readonly unknown[] = []>(
  make: (ctx: CheckContext, ...more: More) => Promise<T>,
): (ctx: CheckContext, ...more: More) => Promise<T> {
  const result = sharedResultBy((ctx, _: 'only', ...more: More) => make(ctx, ...more));
  return (ctx, ...more) => result(ctx, 'only', ...more);
}

/** Like `sharedResult`, with one result for each key. */
export function sharedResultBy<Key extends string, T, More extends readonly unknown[] = []>(
  make: (ctx: CheckContext, key: Key, ...more: More) => Promise<T>,
): (ctx: CheckContext, key: Key, ...more: More) => Promise<T> {
  const resultsOf = runState(() => new Map<Key, Promise<T>>());
  return (ctx, key, ...more) => {
    const results = resultsOf(ctx.run);
    const known = results.get(key);
    if (known) return known;
    const made = make(ctx.forPart(), key, ...more);
    results.set(key, made);
    return made;
  };
}

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
 * An experiment that runs once in a run, or once for each key, for all checks that share it. The function returns the expected result
 * for a question. Null means that the caller runs and judges its own experiment.
 */
export function combinedExperiment<Question, Found, Key extends string = 'only'>(
  experiment: (...args: [...Parameters<CombinedExperiment<Question, Found>>, key: Key]) => Promise<void>,
): (ctx: CheckContext, key: Key, question: Question) => Promise<Found | null> {
  const resultOf = sharedResultBy((ctx, key: Key) =>
    runExperiment<Question, Found>(ctx, (inner, seen) => experiment(inner, seen, key)),
  );
  return async (ctx, key, question) => {
    const { found, exchanges } = await resultOf(ctx, key);
    const seen = found.get(question);
    if (seen === undefined) return null;
    ctx.execution.exchanges.push(...exchanges);
    return seen;
  };
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
