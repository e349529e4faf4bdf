/** The checks of a run share one worker, without time limits. The engine limits requests and checks itself, so vitest starts all of them. */
export const WORKER_OPTIONS = {
  pool: 'threads',
  isolate: false,
  maxWorkers: 1,
  maxConcurrency: 100_000,
  testTimeout: 0,
  hookTimeout: 0,
} as const;

/** What vitest needs to run the checks in a project of its own. */
export interface ConformanceProject {
  test: typeof WORKER_OPTIONS & { name: string; include: string[]; provide: { conformancePlan: null } };
}

/** A project of a vitest configuration that runs the checks of the kit. `include`: the file that calls `registerSuites`. */
export function conformanceProject(...include: string[]): ConformanceProject {
  return { test: { ...WORKER_OPTIONS, name: 'conformance', include, provide: { conformancePlan: null } } };
}
