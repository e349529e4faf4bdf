import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Writes a file as a whole: an interrupted write or a full disk leaves the old one. Keeps a link to the file, and its
 * permissions unless `mode` gives others.
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  const path = existsSync(file) ? realpathSync(file) : file;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    if (mode === undefined && existsSync(path)) chmodSync(draft, statSync(path).mode);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
