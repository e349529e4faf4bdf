import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationFault } from '../engine/model/configuration-error.ts';

/** Where Node looks for the folder of temporary files, the first one that is set. */
const VARIABLES = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR', 'TMP', 'TEMP'];

/** Makes a folder that the caller removes. Throws a ConfigurationFault that names the variable to set where none can be made. */
export function makeTemporaryFolder(purpose: string): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, `conformance-${purpose}-`));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const variable = VARIABLES.find((name) => process.env[name]) ?? VARIABLES[0];
    throw new ConfigurationFault(
      `${variable}: cannot make a temporary folder in ${parent} (${code ?? message}); set ${variable} to a folder that can be written`,
    );
  }
}

/** Throws a ConfigurationFault where no temporary folder can be made: before a server is asked anything. */
export function insistOnTemporaryFolder(): void {
  rmdirSync(makeTemporaryFolder('trial'));
}
