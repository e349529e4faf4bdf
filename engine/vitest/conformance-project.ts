/** What vitest needs to run the checks in a project of its own. */
export interface ConformanceProject {
  test: {
    name: string;
    include: string[];
    pool: 'threads';
    isolate: false;
    maxWorkers: 1;
    maxConcurrency: number;
    testTimeout: 0;
    hookTimeout: 0;
    provide: { conformancePlan: null };
  };
}

/**
 * A project of a vitest configuration that runs the checks of the kit: one worker, no time limits, and all checks at once, because
 * the kit limits the requests itself. `include`: the file that calls `registerSuites`.
 */
export function conformanceProject(...include: string[]): ConformanceProject {
  return {
    test: {
      name: 'conformance',
      include,
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      maxConcurrency: 100_000,
      testTimeout: 0,
      hookTimeout: 0,
      provide: { conformancePlan: null },
    },
  };
}
