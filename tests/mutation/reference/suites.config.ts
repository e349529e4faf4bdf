import { defineConfig } from 'vitest/config';

/** The suites judge the mutants of `npm run mutate -- reference`. */
export default defineConfig({
  test: { include: ['tests/mutation/reference/suites.mutation.ts'], testTimeout: 600_000 },
});
