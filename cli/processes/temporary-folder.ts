import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';

/** The variables that Node reads for the temporary folder; the first one that is set counts. */
const FOLDER_VARIABLES = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR', 'TMP', 'TEMP'];

/** Creates a folder that the caller must remove. On failure, throws a ConfigurationError that names the variable to set. */
export function createTemporaryFolder(purpose: string): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, `conformance-${purpose}-`));
  } catch (error) {
    const variable = FOLDER_VARIABLES.find((name) => process.env[name]) ?? FOLDER_VARIABLES[0];
    throw new ConfigurationError(
      `${variable}: cannot create a temporary folder in ${parent} (${systemErrorCode(error)}); set ${variable} to a folder that can be written`,
    );
  }
}

/** Throws a ConfigurationError if no temporary folder can be created. Call it before the first request. */
export function assertTemporaryFolder(): void {
  rmdirSync(createTemporaryFolder('trial'));
}
