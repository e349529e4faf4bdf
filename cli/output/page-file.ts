import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { formats } from '../../reporting/formats/formats.ts';

/** Writes the page of `--html`. Throws a ConfigurationError if the file cannot be written. */
export function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`--html: cannot write ${file} (${code ?? message}); name a file in a writable folder`);
  }
}

/** The address of the HTML report of a run, relative to a page; null without one. */
export function reportAddress(folder: string, page: string): string | null {
  const report = join(folder, formats.html.file);
  if (!existsSync(report)) return null;
  return relative(dirname(page), report).split(sep).map(encodeURIComponent).join('/');
}
