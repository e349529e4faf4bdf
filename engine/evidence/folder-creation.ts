import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, one at a time, because the recursive mkdir of Node never returns in some special
 * file systems, such as /proc. Returns the created folders, the outermost first.
 */
export function createFolder(folder: string): string[] {
  if (existsSync(folder)) return [];
  const parent = dirname(folder);
  const made = parent === folder ? [] : createFolder(parent);
  return createSingleFolder(folder) ? [...made, folder] : made;
}

/**
 * Creates one folder; false if it already exists, even if another process has just created it. Throws the errors of
 * mkdir.
 */
export function createSingleFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
