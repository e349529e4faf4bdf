import { expect, test } from 'vitest';

// If the mutated file does not load, none of its tests run, and the mutant would seem to be undetected.
test('the mutated file loads', async () => {
  const file = process.env.MUTATED ?? '';
  expect(await import(/* @vite-ignore */ `../../${file}`)).toBeTypeOf('object');
});
