import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the rooms: the repository, or `dist` of the built kit. */
const CODE_ROOT = fileURLToPath(new URL('../..', import.meta.url))
  .replaceAll('\\', '/')
  .replace(/\/$/, '');
// Built code has a different file extension than the sources.
const FILE_EXTENSION = extname(fileURLToPath(import.meta.url));

/** The absolute path of a module of the kit, with slashes. `module`: its path in the repository, without extension. */
export function kitModule(module: string): string {
  return `${CODE_ROOT}/${module}${FILE_EXTENSION}`;
}

/** Node loads built code directly; a transformation by vite would only slow down the start. */
const UNTRANSFORMED_FILES =
  FILE_EXTENSION === '.js'
    ? [new RegExp(`${CODE_ROOT.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/(specs|engine|helpers|suites)/.*\\.js$`)]
    : [];

/**
 * How vitest resolves modules for the kit. A file with custom checks imports the vocabulary by the name of the package, and gets the
 * modules of this kit, wherever they are installed.
 */
export const kitModuleOptions = {
  alias: { 'invoicing-network-conformance/checks': kitModule('helpers/checks') },
  server: { deps: { external: UNTRANSFORMED_FILES } },
};
