import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { releaseChangelog } from './changelog.ts';
import { git } from './git.ts';
import { provenanceOf } from './provenance.ts';
import { ReleaseError } from './release-error.ts';
import { releaseNotes } from './release-notes.ts';
import { releaseProblems, tagOf } from './release-problems.ts';
import { packPackage, type Tarball } from './tarball.ts';

export interface ReleaseRequest {
  version: string;
  dryRun: boolean;
  date: Date;
}

/**
 * Makes the release and returns what to print. Everything happens in a worktree, so that main and its files only change when all has
 * worked. Rejects with a ReleaseError.
 */
export async function prepareRelease(root: string, request: ReleaseRequest): Promise<string> {
  const { version, date } = request;
  const { name, version: current } = readManifest(root);
  const problems = releaseProblems(root, current, version);
  if (problems.length > 0) throw new ReleaseError(...problems);
  const changelog = releaseChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date);

  const out = join(root, 'reports', `release-${version}`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const parent = mkdtempSync(join(tmpdir(), 'release-'));
  const worktree = join(parent, 'worktree');
  try {
    git(root, 'worktree', 'add', '--quiet', '--detach', worktree);
    symlinkSync(join(root, 'node_modules'), join(worktree, 'node_modules'));
    commitRelease(worktree, version, changelog.text);
    const tarball = packPackage(worktree, out);
    const provenance = await provenanceOf(worktree);
    const notes = join(out, 'notes.md');
    writeFileSync(notes, releaseNotes({ name, version, changes: changelog.changes, tarball, provenance }));
    if (!request.dryRun) publishInClone(root, { commit: provenance.commit, tag: tagOf(version), notes });
    return summary(root, request, { tarball, notes, commit: provenance.commit });
  } finally {
    rmSync(parent, { recursive: true, force: true });
    git(root, 'worktree', 'prune');
  }
}

function readManifest(root: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
}

/** Commits version and changelog in the worktree, before the build, which notes the commit. */
function commitRelease(worktree: string, version: string, changelog: string): void {
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--silent'], { cwd: worktree, stdio: 'pipe' });
  writeFileSync(join(worktree, 'CHANGELOG.md'), changelog);
  git(worktree, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
}

function publishInClone(root: string, { commit, tag, notes }: { commit: string; tag: string; notes: string }): void {
  git(root, 'merge', '--quiet', '--ff-only', commit);
  // By default, git would take the headings for comments.
  git(root, 'tag', '--annotate', tag, '--file', notes, '--cleanup', 'verbatim');
}

function summary(
  root: string,
  { version, dryRun }: ReleaseRequest,
  { tarball, notes, commit }: { tarball: Tarball; notes: string; commit: string },
): string {
  const made = dryRun
    ? `dry run of ${version}: no commit and no tag`
    : `${version}: commit ${commit.slice(0, 12)}, tag ${tagOf(version)}`;
  return `${made}
tarball  ${relative(root, tarball.file)}, ${tarball.bytes} bytes
         ${tarball.integrity}
notes    ${relative(root, notes)}

Publish it, which this command does not do:
  git push --follow-tags origin main
  npm publish --provenance --access public   # in CI, from the tag: provenance needs its identity`;
}
