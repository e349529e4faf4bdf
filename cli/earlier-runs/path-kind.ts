import { existsSync, type Stats, statSync } from 'node:fs';

/** What a path leads to; null if nothing is there. Unlike `statSync`, accepts a path below a file, where nothing can be. */
export function statsOf(path: string): Stats | null {
  return existsSync(path) ? statSync(path) : null;
}
