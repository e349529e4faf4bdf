import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../model/configuration-error.ts';

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The text of a file that an option names. Throws a ConfigurationError that names the expected file. */
export function readTextFile(file: string, option: string, wanted: string): string {
  const bytes = readBytes(file, option, wanted);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(BYTE_ORDER_MARK, '');
  } catch {
    throw new ConfigurationError(`${option}: ${file} is not UTF-8 text; save it as UTF-8`);
  }
}

/** The content of a file that a field or an option names. Throws a ConfigurationError that begins with its name. */
export function readBytes(file: string, name: string, wanted: string): Buffer {
  if (file === '') throw new ConfigurationError(`${name}: found an empty path; give the path of ${wanted}`);
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const found = code === 'EISDIR' ? `${file} is a folder` : `cannot read ${file} (${code})`;
    throw new ConfigurationError(`${name}: ${found}; give the path of ${wanted}`);
  }
}
