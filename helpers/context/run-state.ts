import type { RunContext } from '../../engine/run/run-context.ts';

/**
 * State of one run, with its type. Declare it in the module that owns it; the run keeps the value, so that two runs in one process
 * share nothing. `create` makes the first value.
 */
export function runState<T>(create: (run: RunContext) => T): (run: RunContext) => T {
  const slot = Symbol('run state');
  return (run) => run.ledger.get(slot, () => create(run));
}
