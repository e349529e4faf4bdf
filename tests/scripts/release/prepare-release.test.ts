import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareRelease } from '../../../scripts/release/prepare-release.ts';
import { gitIn, smallRepository } from './support/small-repository.ts';

const date = new Date('2026-03-04T05:06:07Z');
const release = (root: string, version = '0.2.0', dryRun = false) => prepareRelease(root, { version, dryRun, date });

/** Everything that a failed or dry release must leave as it is. */
function stateOf(root: string) {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  return {
    head: gitIn(root, 'rev-parse', 'HEAD'),
    changed: gitIn(root, 'status', '--porcelain'),
    tags: gitIn(root, 'tag'),
    worktrees: gitIn(root, 'worktree', 'list'),
    files: [read('package.json'), read('package-lock.json'), read('CHANGELOG.md')],
  };
}

describe('a release', () => {
  test('commits version and changelog, and tags the commit with the notes', async () => {
    const root = smallRepository();
    const before = gitIn(root, 'rev-parse', 'HEAD');
    const printed = await release(root);
    expect(gitIn(root, 'log', '-1', '--format=%s %P')).toBe(`Release 0.2.0 ${before}`);
    expect(gitIn(root, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
    expect(gitIn(root, 'status', '--porcelain')).toBe('');
    expect(gitIn(root, 'rev-parse', 'v0.2.0^{commit}')).toBe(gitIn(root, 'rev-parse', 'HEAD'));
    expect(gitIn(root, 'cat-file', '-t', 'v0.2.0')).toBe('tag');
    const notes = readFileSync(join(root, 'reports/release-0.2.0/notes.md'), 'utf8');
    expect(gitIn(root, 'for-each-ref', '--format=%(contents)', 'refs/tags/v0.2.0').trimEnd()).toBe(notes.trimEnd());
    for (const name of ['package.json', 'package-lock.json'])
      expect(JSON.parse(readFileSync(join(root, name), 'utf8'))).toMatchObject({ version: '0.2.0' });
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(
      '## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-31\n',
    );
    expect(printed).toContain('npm publish --provenance');
    expect(gitIn(root, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('writes the provenance and the digest of the tarball', async () => {
    const root = smallRepository();
    const printed = await release(root);
    const out = join(root, 'reports/release-0.2.0');
    const tarball = readFileSync(join(out, 'small-kit-0.2.0.tgz'));
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const lock = createHash('sha256')
      .update(readFileSync(join(root, 'package-lock.json')))
      .digest('hex');
    const notes = readFileSync(join(out, 'notes.md'), 'utf8');
    for (const fact of [
      '# small-kit 0.2.0\n\n## Added\n\n- A thing.\n',
      `| commit | \`${gitIn(root, 'rev-parse', 'HEAD')}\` |`,
      `Node ${process.version}, npm `,
      `| package-lock.json | \`sha256:${lock}\` |`,
      '| catalogue | `sha256:ca7a` |',
      '| code of the kit | `sha256:c0de` |',
      `| small-kit-0.2.0.tgz | \`${tarball.length} bytes, ${integrity}\` |`,
    ])
      expect(notes).toContain(fact);
    expect(printed).toContain(`small-kit-0.2.0.tgz, ${tarball.length} bytes\n         ${integrity}`);
  });

  test('changes nothing but the output folder in a dry run', async () => {
    const root = smallRepository();
    const before = stateOf(root);
    const printed = await release(root, '0.2.0', true);
    expect(printed).toMatch(/^dry run of 0\.2\.0: no commit and no tag\n/);
    expect(existsSync(join(root, 'reports/release-0.2.0/small-kit-0.2.0.tgz'))).toBe(true);
    expect(stateOf(root)).toEqual(before);
  });
});

describe('no release is made, and nothing changes,', () => {
  test.each([
    ['of something that is no version', '0.2', /^<version>: found "0\.2"; write three numbers/],
    [
      'of the same version',
      '0.1.0',
      /^<version>: found 0\.1\.0, but package\.json has 0\.1\.0; write a later version$/,
    ],
    ['of an earlier version', '0.0.9', /^<version>: found 0\.0\.9, but package\.json has 0\.1\.0/],
  ])('%s', async (_, version, problem) => {
    const root = smallRepository();
    const before = stateOf(root);
    await expect(release(root, version)).rejects.toThrow(problem);
    expect(stateOf(root)).toEqual(before);
  });

  test('on another branch, with a new file', async () => {
    const root = smallRepository();
    gitIn(root, 'switch', '--quiet', '--create', 'other');
    writeFileSync(join(root, 'staging.yaml'), '');
    const lines =
      'the branch is other; run "git switch main"\n1 changed or new files, such as staging.yaml; commit or remove them';
    await expect(release(root)).rejects.toThrow(lines);
  });

  test('if the tag exists', async () => {
    const root = smallRepository();
    gitIn(root, 'tag', 'v0.2.0');
    await expect(release(root)).rejects.toThrow('<version>: the tag v0.2.0 exists; write a later version');
  });

  test('if the changelog says nothing', async () => {
    const root = smallRepository({
      changelog: '# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.1.0]\n\n- One.\n',
    });
    await expect(release(root)).rejects.toThrow('CHANGELOG.md: the section Unreleased is empty');
  });

  test('if the build fails', async () => {
    const root = smallRepository({ build: 'process.exit(1);\n' });
    const before = stateOf(root);
    await expect(release(root)).rejects.toThrow('npm pack failed');
    expect(stateOf(root)).toEqual(before);
  });
});
