import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and its parents, one after the other: Node's own recursive mkdir never returns below some special file
 * systems, /proc for one. The folders that were not there, the outermost first. Throws what mkdir throws.
 */
export function createFolder(folder: string): string[] {
  if (existsSync(folder)) return [];
  const parent = dirname(folder);
  const made = parent === folder ? [] : createFolder(parent);
  return createSingleFolder(folder) ? [...made, folder] : made;
}

/** Makes one folder; false where it was there already, though perhaps only since a moment ago. Throws what mkdir throws. */
export function createSingleFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
