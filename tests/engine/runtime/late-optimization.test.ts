import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../../engine/runtime/late-optimization.ts', import.meta.url).href;

test('V8 knows what it is told, and says nothing about it', () => {
  const program = `import { delayOptimization } from '${MODULE}'; delayOptimization(); console.log('done');`;
  const args = ['--import=tsx', '--input-type=module', '--eval', program];
  // Of a flag that it does not know V8 says so on either stream.
  const said = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  expect(said).toBe('done\n');
});
