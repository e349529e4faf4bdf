import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** What git does with a file that holds secrets. */
export type GitTreatment = 'no work tree' | 'ignored' | 'added to .gitignore' | 'tracked' | 'not ignored';

/**
 * Keeps a file out of git: adds it to the .gitignore of its folder, unless git ignores it already. Without the git command, adds
 * the line in every work tree. `not ignored` means that .gitignore cannot be written.
 */
export function ignoreInGit(file: string): GitTreatment {
  const path = resolve(file);
  const folder = dirname(path);
  if (!isInWorkTree(folder)) return 'no work tree';
  const name = basename(path);
  // An entry in .gitignore has no effect on a tracked file.
  if (runGit(folder, ['ls-files', '--error-unmatch', '--', name]) === 0) return 'tracked';
  if (runGit(folder, ['check-ignore', '-q', '--', name]) === 0) return 'ignored';
  return addEntry(join(folder, '.gitignore'), `/${escapePattern(name)}`);
}

function isInWorkTree(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const above = dirname(folder);
  return above !== folder && isInWorkTree(above);
}

/** The exit code of git; null if it cannot be run. */
function runGit(folder: string, args: readonly string[]): number | null {
  return spawnSync('git', ['-C', folder, ...args], { stdio: 'ignore' }).status;
}

function addEntry(ignoreFile: string, entry: string): GitTreatment {
  try {
    const text = existsSync(ignoreFile) ? readFileSync(ignoreFile, 'utf8') : '';
    if (text.split(/\r?\n/).includes(entry)) return 'ignored';
    writeFileSync(ignoreFile, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${entry}\n`);
    return 'added to .gitignore';
  } catch {
    // The secrets are stored in any case; the user reads that git does not ignore them.
    return 'not ignored';
  }
}

function escapePattern(name: string): string {
  return name.replaceAll(/[\\*?[\]]/g, '\\$&').replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length));
}
