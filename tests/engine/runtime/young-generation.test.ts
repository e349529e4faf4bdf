import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../engine/runtime/young-generation.ts', import.meta.url).href;

/** Megabytes that V8 gave the young generation of a program that makes millions of short-lived objects. */
function youngGeneration(before: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepYoungGenerationSmall } from '${MODULE}';
    ${before};
    let some = [];
    for (let at = 0; at < 2_000_000; at += 1) {
      some.push({ at, text: 'text ' + at });
      if (some.length > 20_000) some = some.slice(10_000);
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20);
  `;
  return Number(execFileSync(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program]).toString());
}

test('the young generation keeps its size in a program that would have it grow', () => {
  const usual = youngGeneration('');
  const kept = youngGeneration('keepYoungGenerationSmall()');
  expect(kept).toBeLessThan(usual / 2);
});
