import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { codeRoot } from '../../../specs/code-location.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

test('--help lists the commands in groups, those for people who correct servers first', async () => {
  const { stdout } = await conformance(['--help']);
  const lines = stdout.split('\n');
  const groups: Record<string, string[]> = {};
  let heading = '';
  for (const line of lines.slice(lines.indexOf('Judge a server:'), lines.indexOf('Examples:'))) {
    if (/^\S.*:$/.test(line)) {
      heading = line;
      groups[heading] = [];
    }
    const name = /^ {2}(\w+)/.exec(line)?.[1];
    if (name) groups[heading]?.push(name);
  }
  expect(Object.entries(groups)).toEqual([
    ['Judge a server:', ['run', 'doctor', 'init', 'explain', 'list', 'report', 'cleanup']],
    ['Compare runs and gate releases:', ['baseline', 'diff', 'merge', 'compare']],
    ['Certify an implementation:', ['certify', 'seal', 'verify', 'countersign']],
    ['For authors of the kit:', ['reference', 'prove']],
    ['Help and completion:', ['completion', 'help']],
  ]);
});

test('a command loads the module of no other command', async () => {
  const { code } = await conformance(['list', '--help'], { env: { NODE_V8_COVERAGE: folder } });
  expect(code).toBe(0);
  const commands = readdirSync(join(codeRoot, 'cli/commands')).map((file) => basename(file, '.ts'));
  const loaded = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { url: string }[] };
    // The build names the chunk of a command after its module.
    return result.flatMap(({ url }) => /\/chunks\/(\w+)-\w+\.js$/.exec(url)?.[1] ?? []);
  });
  expect(loaded.filter((name) => commands.includes(name))).toEqual(['list']);
});
