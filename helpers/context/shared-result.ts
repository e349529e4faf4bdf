import type { CheckContext } from './check-context.ts';
import { runState } from './run-state.ts';

/** A result that the first caller in a run computes and all callers share. A failure is shared, too. */
export function sharedResult<T>(make: (ctx: CheckContext) => Promise<T>): (ctx: CheckContext) => Promise<T> {
  const results = sharedResultBy((ctx) => make(ctx));
  return (ctx) => results(ctx, '');
}

/**
 * Like `sharedResult`, with one result for each key. `make` gets the further arguments of the first caller, which do not distinguish
 * results.
 */
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
