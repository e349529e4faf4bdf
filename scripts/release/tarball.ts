import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseError } from './release-error.ts';

export interface Tarball {
  file: string;
  bytes: number;
  /** As in a lock file: `sha512-` and Base64. */
  integrity: string;
}

/** Builds the package of a folder into an empty folder. Throws a ReleaseError if the build fails. */
export function packPackage(folder: string, out: string): Tarball {
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } catch {
    throw new ReleaseError('npm pack failed, with the messages above; correct them and try again');
  }
  const [name = ''] = readdirSync(out).filter((each) => each.endsWith('.tgz'));
  const file = join(out, name);
  const content = readFileSync(file);
  return { file, bytes: content.length, integrity: `sha512-${createHash('sha512').update(content).digest('base64')}` };
}
