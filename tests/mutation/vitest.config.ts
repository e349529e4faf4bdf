import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The servers come last: most mutants are noticed before, and then nothing more is run. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith('.mutation.ts'));
    return files.toSorted((one, other) => slow(one) - slow(other));
  }
}

/** For `npm run mutate` alone: the tests that decide whether a mutant lives. */
export default defineConfig({
  test: {
    include: [
      'tests/helpers/*.test.ts',
      'tests/reporting/verdict.test.ts',
      'tests/engine/verdict-of-check.test.ts',
      'tests/mutation/*.mutation.ts',
    ],
    sequence: { sequencer: QuickFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
