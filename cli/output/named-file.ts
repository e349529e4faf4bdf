import { writeFileSync } from 'node:fs';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';

/** Writes the file that an option names. Throws a ConfigurationError that begins with the option if it cannot be written. */
export function writeNamedFile(option: string, file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `${option}: cannot write ${file} (${code ?? message}); name a file in a writable folder`,
    );
  }
}
