import { defineConfig } from 'vitest/config';

/** The tests that say which mutants of `npm run mutate -- reference` are wrong servers. */
export default defineConfig({
  test: { include: ['tests/reference/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 30_000 },
});
