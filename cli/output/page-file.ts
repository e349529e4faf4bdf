import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { formats } from '../../reporting/formats/formats.ts';
import { writeNamedFile } from './named-file.ts';

/** Writes the page of `--html`. Throws a ConfigurationError if the file cannot be written. */
export function writePage(file: string, page: string): void {
  writeNamedFile('--html', file, page);
}

/** The address of the HTML report of a run, relative to a page; null without one. */
export function reportAddress(folder: string, page: string): string | null {
  const report = join(folder, formats.html.file);
  if (!existsSync(report)) return null;
  return relative(dirname(page), report).split(sep).map(encodeURIComponent).join('/');
}
