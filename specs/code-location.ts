import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE_PATH = fileURLToPath(import.meta.url);

/** Whether the built kit runs, and not its sources. */
export const isBuilt = extname(MODULE_PATH) === '.js';

/** The folder of the kit's package.json. */
export const packageRoot = findPackageRoot(dirname(MODULE_PATH));

/** The folder of the rooms: the repository, or `dist` of the built kit. */
export const codeRoot = isBuilt ? join(packageRoot, 'dist') : packageRoot;

/** The absolute path of a file next to the code. `path`: relative to the repository, and the same in `dist`. */
export function codeFile(path: string): string {
  return join(codeRoot, path);
}

/**
 * The absolute path of a module that is an entry point of the build, so that it exists in `dist`, too. `module`: its path in the
 * repository, without extension.
 */
export function entryModule(module: string): string {
  return codeFile(`${module}${isBuilt ? '.js' : '.ts'}`);
}

function findPackageRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageRoot(dirname(folder));
}
