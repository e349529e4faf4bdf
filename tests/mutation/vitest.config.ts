import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The servers run last, because the tests detect most mutants, and then no further test runs. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith('.mutation.ts'));
    return files.toSorted((one, other) => slow(one) - slow(other));
  }
}

/** The tests of the mutated file; those of all helpers if it has none of its own. */
const own = `tests/${process.env.MUTATED?.replace(/\.ts$/, '.test.ts')}`;
const tests = existsSync(own) ? own : 'tests/helpers/**/*.test.ts';

/** The tests that detect the mutants of `npm run mutate`. */
export default defineConfig({
  test: {
    include: [tests, 'tests/mutation/*.mutation.ts'],
    sequence: { sequencer: QuickFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
