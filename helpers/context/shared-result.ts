import type { CheckContext } from './check-context.ts';
import { runState } from './run-state.ts';

/**
 * A result that the first caller in a run computes and all callers share. A failure is shared, too. `make` gets the further arguments
 * of the first caller.
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
    const made = make(ctx, key, ...more);
    results.set(key, made);
    return made;
  };
}
