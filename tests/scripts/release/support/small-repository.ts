import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A thing.

## [0.1.0] - 2026-01-31

- The first one.
`;

const BUILD = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/engine/runtime', { recursive: true });
mkdirSync('dist/specs/catalogue', { recursive: true });
writeFileSync('dist/engine/runtime/kit-identity.js', "export const kitIdentity = () => ({ digest: 'c0de' });\\n");
writeFileSync('dist/specs/catalogue/catalogue.js', "export const catalogueDigest = 'sha256:ca7a';\\n");
`;

/** A repository on main with a package that builds as the kit does, in a temporary folder. */
export function smallRepository({ changelog = CHANGELOG, build = BUILD } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'release-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const manifest = { name: 'small-kit', version: '0.1.0', type: 'module' };
  const scripts = { prepack: 'node build.mjs' };
  const files = {
    'package.json': JSON.stringify({ ...manifest, scripts, files: ['dist'] }, null, 2),
    'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }, null, 2),
    'CHANGELOG.md': changelog,
    'build.mjs': build,
    '.gitignore': 'node_modules\ndist\nreports\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  mkdirSync(join(root, 'node_modules'));
  gitIn(root, 'init', '--quiet', '--initial-branch', 'main');
  gitIn(root, 'config', 'user.name', 'Maintainer');
  gitIn(root, 'config', 'user.email', 'maintainer@example.com');
  gitIn(root, 'add', '.');
  gitIn(root, 'commit', '--quiet', '--message', 'Begin');
  return root;
}

export function gitIn(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
}
