import { spawnSync } from 'node:child_process';
import { ReleaseError } from './release-error.ts';

/** The output of a git command, without the last line end. Throws a ReleaseError with the message of git if it fails. */
export function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = runGit(folder, args);
  if (status !== 0) throw new ReleaseError(`git ${args[0]} failed: ${stderr.trim().replaceAll('\n', ' ')}`);
  return stdout.trimEnd();
}

export function isTag(folder: string, tag: string): boolean {
  return runGit(folder, ['rev-parse', '--quiet', '--verify', `refs/tags/${tag}`]).status === 0;
}

function runGit(folder: string, args: string[]) {
  return spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
}
