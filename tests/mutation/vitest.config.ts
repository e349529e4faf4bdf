import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The servers come last: most mutants are noticed before, and then nothing more is run. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith('.mutation.ts'));
    return files.toSorted((one, other) => slow(one) - slow(other));
  }
}

/** The tests of the mutated file; those of all helpers where it has none of its own. */
const own = `tests/${process.env.MUTATED?.replace(/\.ts$/, '.test.ts')}`;
const tests = existsSync(own) ? own : 'tests/helpers/**/*.test.ts';

/** For `npm run mutate` alone: what decides whether a mutant lives. */
export default defineConfig({
  test: {
    include: [tests, 'tests/mutation/*.mutation.ts'],
    sequence: { sequencer: QuickFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
