import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where tests make whole runs, those that last longest first: begun last, they would have the machine to themselves. */
const LONG = ['opposite', 'proof', 'third-party', 'hostile', 'cli'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((folder) => moduleId.includes(`/tests/${folder}/`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // Much of what the tests do is to wait for servers: more at once than there are cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Checks wait for each other by design. The longest time that a timer can take.
    slowTestThreshold: 2 ** 31 - 1,
    projects: [
      {
        test: {
          name: 'kit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**'],
          globalSetup: ['tests/build-kit.ts'],
          // The kit keeps no state of a run in its modules: to load them anew for each file would take a third of the time.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Needs a Chromium, which .ci/run installs.
        test: { name: 'browser', include: ['tests/browser/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        // The checks in an editor: CONFORMANCE_TARGET names the target file. The command brings its own configuration.
        test: {
          name: 'suites',
          include: ['suites/all.conformance.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: 1,
          maxConcurrency: 100_000,
          testTimeout: 0,
          hookTimeout: 0,
          provide: { conformancePlan: null },
        },
      },
    ],
  },
});
