/**
 * The facts that the checks of a run share: what was created, what existed before, what was learned about the server, and the results
 * of experiments that run once. Each slot belongs to the module that declares it and gives it its type.
 */
export class RunLedger {
  private readonly values = new Map<symbol, unknown>();

  /** The value of a slot, made by the first caller. */
  get<T>(slot: symbol, create: () => T): T {
    if (!this.values.has(slot)) this.values.set(slot, create());
    return this.values.get(slot) as T;
  }
}

/** What has a run ledger: the run context. */
export interface WithLedger {
  readonly ledger: RunLedger;
}

/**
 * State of one run, with its type and with its first value from `create`. Declare it in the module that owns it; the
 * run keeps the value, so that two runs in one process share nothing.
 */
export function runState<T, Run extends WithLedger = WithLedger>(create: (run: Run) => T): (run: Run) => T {
  const slot = Symbol('run state');
  return (run) => run.ledger.get(slot, () => create(run));
}
