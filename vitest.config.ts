import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { conformanceProject } from './engine/vitest/conformance-project.ts';

/** Folders of tests that make whole runs, the longest first. */
const WHOLE_RUN_FOLDERS = ['compositions', 'proof', 'third-party', 'hostile', 'cli'];
const PROFILE_COSTS = 'tests/specs/catalogue/profile-costs.test.ts';
/** Each contains a long chain. A long test that begins last would run alone. */
const LONGEST_FILES = [
  PROFILE_COSTS,
  'tests/compositions/opposites.test.ts',
  'tests/cli/documentation/documented-commands.test.ts',
];
const WHOLE_RUNS = [...WHOLE_RUN_FOLDERS.map((folder) => `tests/${folder}/**/*.test.ts`), PROFILE_COSTS];
/** A page that begins last would leave a core idle. */
const LONG = ['browser', ...WHOLE_RUN_FOLDERS];

const SHARED = {
  // Modules keep no state of a run. Loading them anew for each file would take a third of the time.
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
  // A busy machine may take long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      if (LONGEST_FILES.some((file) => moduleId.endsWith(`/${file}`))) return -1;
      const at = LONG.findIndex((folder) => moduleId.includes(`/tests/${folder}/`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // Much of what the tests do is to wait for servers: more at once than there are cores.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    // Checks wait for each other by design. The longest time that a timer can take.
    slowTestThreshold: 2 ** 31 - 1,
    projects: [
      // `npm test`: the parts of the kit, each by itself.
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [...WHOLE_RUNS, 'tests/browser/**'],
          ...SHARED,
        },
      },
      // `npm run test:all`: the built command and whole runs against many servers.
      { test: { name: 'system', include: WHOLE_RUNS, globalSetup: ['tests/build-kit.ts'], ...SHARED } },
      {
        // Needs a Chromium, which .ci/run installs.
        test: { name: 'browser', include: ['tests/browser/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      // The checks in an editor: CONFORMANCE_TARGET names the target file. The command brings its own configuration.
      conformanceProject('suites/all.conformance.ts'),
    ],
  },
});
