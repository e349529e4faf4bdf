import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const manifest = z.object({ name: z.string(), version: z.string() });

/** The folder that holds this package's package.json, from the sources and from the built tree alike. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** Name and version of the kit. */
export const kit = manifest.strip().parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));

function findPackageRoot(folder: string): string {
  try {
    readFileSync(join(folder, 'package.json'));
    return folder;
  } catch {
    // Not this folder: the next one up.
    return findPackageRoot(dirname(folder));
  }
}
