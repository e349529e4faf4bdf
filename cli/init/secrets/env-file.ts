import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { readSecretsFile } from '../../../engine/target/secrets-file.ts';
import { replaceFile } from '../../output/replace-file.ts';
import { mergeEnvText } from './env-text.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** For its owner only. */
const OWNER_ONLY = 0o600;

/** The variables of an env file; none if it does not exist. Throws a ConfigurationError if it cannot be used. */
export function readEnvFile(file: string): Values {
  return existsSync(file) ? readSecretsFile(file, '--write-secrets') : {};
}

/** The variables that already have another value in the file. An empty value is not one. */
export function conflictingVariables(existing: Values, wanted: Readonly<Record<string, string>>): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const before = Object.hasOwn(existing, name) ? existing[name] : undefined;
    return before && before !== value ? [name] : [];
  });
}

/** Whether others than the owner may read a file. Windows has no such permissions. */
function isReadableByOthers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

/**
 * Adds variables to an env file that only its owner can read, and returns whether its permissions were wider. Other lines stay.
 * Throws a ConfigurationError if it cannot be written; an existing file is then unchanged.
 */
export function writeEnvFile(file: string, values: Readonly<Record<string, string>>): { isNarrowed: boolean } {
  try {
    if (!existsSync(file)) {
      writeFileSync(file, mergeEnvText('', values), { mode: OWNER_ONLY, flag: 'wx' });
      return { isNarrowed: false };
    }
    const isNarrowed = isReadableByOthers(file);
    if (isNarrowed) chmodSync(file, OWNER_ONLY);
    replaceFile(file, mergeEnvText(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), values), OWNER_ONLY);
    return { isNarrowed };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `--write-secrets: ${file} cannot be written (${code}); name a file in a folder that can be written`,
    );
  }
}
