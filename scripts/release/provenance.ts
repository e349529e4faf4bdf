import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { git } from './git.ts';

/** From what a package was built, and what the kit in it calls itself. */
export interface Provenance {
  commit: string;
  node: string;
  npm: string;
  lockFile: string;
  catalogue: string;
  code: string;
}

/** The provenance of a folder with built code in `dist/`. */
export async function provenanceOf(folder: string): Promise<Provenance> {
  const built = (path: string) => pathToFileURL(join(folder, 'dist', path)).href;
  // The digests of the sources would differ: the package contains built code only.
  const { kitIdentity }: typeof import('../../engine/runtime/kit-identity.ts') = await import(
    built('engine/runtime/kit-identity.js')
  );
  const { catalogueDigest }: typeof import('../../specs/catalogue/catalogue.ts') = await import(
    built('specs/catalogue/catalogue.js')
  );
  return {
    commit: git(folder, 'rev-parse', 'HEAD'),
    node: process.version,
    npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
    lockFile: `sha256:${createHash('sha256')
      .update(readFileSync(join(folder, 'package-lock.json')))
      .digest('hex')}`,
    catalogue: catalogueDigest,
    code: `sha256:${kitIdentity().digest}`,
  };
}
