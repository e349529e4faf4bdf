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
