/** Faults that only show after requests of other checks, which no script of one failure repeats. */
export const unreproducibleFaults: ReadonlySet<string> = new Set(['conn-active-status-cached', 'created-evicted']);
