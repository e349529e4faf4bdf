import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ignoreInGit } from '../../../cli/init/secrets/git-ignore.ts';

const root = mkdtempSync(join(tmpdir(), 'kit-git-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'x'));
});

function git(...args: string[]) {
  const { status, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}
const isIgnored = (name: string) => spawnSync('git', ['-C', folder, 'check-ignore', '-q', '--', name]).status === 0;

describe('an env file in a git work tree', () => {
  beforeEach(() => git('init', '-q'));

  test.each(['.env', 'my secrets.env', '[a]*.env', '#x', '!x'])('is added to .gitignore: %s', (name) => {
    expect(ignoreInGit(join(folder, name))).toBe('added to .gitignore');
    expect(isIgnored(name)).toBe(true);
    expect(ignoreInGit(join(folder, name))).toBe('ignored');
  });

  test('is added after lines that exist', () => {
    writeFileSync(join(folder, '.gitignore'), 'dist');
    ignoreInGit(join(folder, '.env'));
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('dist\n/.env\n');
  });

  test('is added to the .gitignore of its own folder', () => {
    mkdirSync(join(folder, 'sub'));
    expect(ignoreInGit(join(folder, 'sub', '.env'))).toBe('added to .gitignore');
    expect(existsSync(join(folder, 'sub', '.gitignore'))).toBe(true);
    expect(isIgnored('sub/.env')).toBe(true);
  });

  test('that git ignores already is left alone', () => {
    writeFileSync(join(folder, '.gitignore'), '*.env\n.env\n');
    expect(ignoreInGit(join(folder, '.env'))).toBe('ignored');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*.env\n.env\n');
  });

  test('that git tracks is reported', () => {
    writeFileSync(join(folder, '.env'), '');
    git('add', '.env');
    expect(ignoreInGit(join(folder, '.env'))).toBe('tracked');
  });

  test('is reported if .gitignore cannot be written', () => {
    mkdirSync(join(folder, '.gitignore'));
    expect(ignoreInGit(join(folder, '.env'))).toBe('not ignored');
  });

  test('is added without the git command', () => {
    vi.stubEnv('PATH', '');
    expect(ignoreInGit(join(folder, '.env'))).toBe('added to .gitignore');
    expect(ignoreInGit(join(folder, '.env'))).toBe('ignored');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('/.env\n');
  });
});

test('a folder outside of a work tree gets no .gitignore', () => {
  expect(ignoreInGit(join(folder, '.env'))).toBe('no work tree');
  expect(existsSync(join(folder, '.gitignore'))).toBe(false);
});
