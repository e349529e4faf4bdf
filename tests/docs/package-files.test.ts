import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isWebAddress, linksOf, root, userPages } from './markdown-pages.ts';

/** Pages for contributors, which lead to the sources of a clone. */
const FOR_CONTRIBUTORS = ['CONTRIBUTING.md', 'docs/ARCHITECTURE.md'];

function packedFiles(): Set<string> {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  return new Set(files.map(({ path }) => path));
}

describe('the package', () => {
  const packed = packedFiles();

  test.each(userPages().filter(({ path }) => !FOR_CONTRIBUTORS.includes(path)))(
    'contains $path and every file that it links to',
    (page) => {
      const linked = linksOf(page).flatMap(({ to }) => (isWebAddress(to) ? [] : [to]));
      expect([page.path, ...linked].filter((path) => !packed.has(path))).toEqual([]);
    },
  );
});
