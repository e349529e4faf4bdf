import { expect, test } from 'vitest';
import { commandLine } from '../../../cli/processes/invocation.ts';

const WORDS = ['doctor', '--target', 'my target.yaml'];

test.each([
  ['a global installation', '/usr/local/bin/conformance', {}, "conformance doctor --target 'my target.yaml'"],
  [
    'a script of another package',
    '/w/node_modules/.bin/conformance',
    { npm_lifecycle_event: 'test' },
    "npx conformance doctor --target 'my target.yaml'",
  ],
  [
    'npx',
    '/home/u/.npm/_npx/1/node_modules/.bin/conformance',
    { npm_command: 'exec' },
    "npx conformance doctor --target 'my target.yaml'",
  ],
  [
    'npm run in the sources',
    '/w/kit/cli/main.ts',
    { npm_lifecycle_event: 'conformance', npm_lifecycle_script: 'tsx cli/main.ts' },
    "npm run -s conformance -- doctor --target 'my target.yaml'",
  ],
  ['tsx', '/w/kit/cli/main.ts', {}, "npx tsx kit/cli/main.ts doctor --target 'my target.yaml'"],
  ['node', '/w/kit/dist/cli/main.js', {}, "node kit/dist/cli/main.js doctor --target 'my target.yaml'"],
])('a command is shown as the user called the kit: by %s', (_, script, env, line) => {
  expect(commandLine(WORDS, { argv: ['node', script], env, cwd: '/w', platform: 'linux' })).toBe(line);
});

test('a path with a quote and a Windows path are quoted', () => {
  const caller = { argv: ['node', '/usr/bin/conformance'], env: {}, cwd: '/', platform: 'linux' } as const;
  expect(commandLine(["it's.yaml"], caller)).toBe("conformance 'it'\\''s.yaml'");
  expect(commandLine(['C:\\my files\\t.yaml'], { ...caller, platform: 'win32' })).toBe(
    'conformance "C:\\my files\\t.yaml"',
  );
});
