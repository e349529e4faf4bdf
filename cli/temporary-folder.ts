import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../engine/model/configuration-error.ts';

/** Where Node looks for the folder of temporary files, the first one that is set. */
const FOLDER_VARIABLES = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR', 'TMP', 'TEMP'];

/** Makes a folder that the caller removes. Throws a ConfigurationError that names the variable to set where none can be made. */
export function createTemporaryFolder(purpose: string): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, `conformance-${purpose}-`));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const variable = FOLDER_VARIABLES.find((name) => process.env[name]) ?? FOLDER_VARIABLES[0];
    throw new ConfigurationError(
      `${variable}: cannot make a temporary folder in ${parent} (${code ?? message}); set ${variable} to a folder that can be written`,
    );
  }
}

/** Throws a ConfigurationError where no temporary folder can be made: before a server is asked anything. */
export function assertTemporaryFolder(): void {
  rmdirSync(createTemporaryFolder('trial'));
}
