import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';

/**
 * Writes the file that an option names; a new file as a whole or not at all. Throws a ConfigurationError that begins with the option if it
 * cannot be written.
 */
export function writeNamedFile(option: string, file: string, content: string | Uint8Array): void {
  const isNew = !existsSync(file);
  try {
    writeFileSync(file, content);
  } catch (error) {
    // A full disk leaves the beginning of the file.
    if (isNew && existsSync(file)) rmSync(file, { force: true });
    throw cannotWrite(option, file, error);
  }
}

/** The error for a file that cannot be written, with what to do about it. */
export function cannotWrite(option: string, file: string, error: unknown): ConfigurationError {
  const code = systemErrorCode(error);
  const advice = code === 'ENOSPC' || code === 'EDQUOT' ? 'free space on its disk' : 'name a file in a writable folder';
  return new ConfigurationError(`${option}: cannot write ${file} (${code}); ${advice}`);
}
