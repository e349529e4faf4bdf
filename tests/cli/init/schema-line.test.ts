import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { schemaLine } from '../../../cli/init/schema-line.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kit-schema-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NAME = 'the-kit';
function install(modules: string): string {
  const schemas = join(root, modules, NAME, 'dist', 'specs', 'schemas');
  mkdirSync(schemas, { recursive: true });
  writeFileSync(join(schemas, 'target.schema.json'), '{}');
  return join(root, modules, NAME);
}

test.each([
  [
    'next to the file',
    'a/node_modules',
    'a/target.yaml',
    './node_modules/the-kit/dist/specs/schemas/target.schema.json',
  ],
  [
    'above the file',
    'b/node_modules',
    'b/x/y/target.yaml',
    '../../node_modules/the-kit/dist/specs/schemas/target.schema.json',
  ],
  [
    'below the file',
    'c/tools/node_modules',
    'c/target.yaml',
    './tools/node_modules/the-kit/dist/specs/schemas/target.schema.json',
  ],
])('names the schema of a kit %s', (_, modules, file, path) => {
  const line = schemaLine(join(root, file), { name: NAME, root: install(modules) });
  expect(line).toBe(`# yaml-language-server: $schema=${path}\n`);
  expect(existsSync(join(dirname(join(root, file)), path))).toBe(true);
});

test('names the plain folder of a kit that pnpm has installed', () => {
  install('d/node_modules');
  const inner = install(join('d/node_modules/.pnpm/the-kit@1.0.0/node_modules'));
  expect(schemaLine(join(root, 'd/target.yaml'), { name: NAME, root: inner })).toBe(
    '# yaml-language-server: $schema=./node_modules/the-kit/dist/specs/schemas/target.schema.json\n',
  );
});

test.each([
  ['elsewhere', 'e/node_modules', 'f/target.yaml'],
  ['in a hidden folder below the file, such as the cache of npx', 'g/.npm/_npx/1/node_modules', 'g/target.yaml'],
  ['below a folder with a space', 'h/my tools/node_modules', 'h/target.yaml'],
])('is absent for a kit %s', (_, modules, file) => {
  expect(schemaLine(join(root, file), { name: NAME, root: install(modules) })).toBeNull();
});

test('is absent for a clone, and for a kit without the schema', () => {
  expect(schemaLine(join(root, 'target.yaml'), { name: NAME, root })).toBeNull();
  expect(schemaLine(join(root, 'target.yaml'), { name: NAME, root: join(root, 'node_modules', NAME) })).toBeNull();
});
