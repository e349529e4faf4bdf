import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the kit. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Manifest {
  name: string;
  license?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folders of all packages that are installed with the kit on this platform, relative to the folder of the kit. */
export function productionPackages(): string[] {
  const found = new Set<string>();
  const visit = (folder: string) => {
    for (const name of neededNames(readManifest(join(ROOT, folder)))) {
      const path = resolvePackage(name, folder);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit('.');
  return [...found].sort();
}

/** The bytes of the files of a package, without the packages inside it. */
export function packageBytes(folder: string): number {
  const sizes = readdirSync(join(ROOT, folder), { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : packageBytes(path);
    return statSync(join(ROOT, path)).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

function neededNames({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** As Node resolves it. Undefined for a package of another platform, which is not installed. */
function resolvePackage(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (existsSync(join(ROOT, path, 'package.json'))) return path;
  return from === '.' ? undefined : resolvePackage(name, dirname(from));
}
