import { expect, test } from 'vitest';

// A file that does not load takes the tests of it along: none of them would fail, and the mutant would seem to live.
test('the mutated file loads', async () => {
  const file = process.env.MUTATED ?? '';
  expect(await import(/* @vite-ignore */ `../../${file}`)).toBeTypeOf('object');
});
