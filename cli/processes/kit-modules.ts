import { codeRoot, entryModule, isBuilt } from '../../specs/code-location.ts';

/** The path of an entry point of the kit, with slashes, as vite requires it. */
export function kitModule(module: string): string {
  return entryModule(module).replaceAll('\\', '/');
}

/** Node loads built code directly; a transformation by vite would only slow down the start. */
const UNTRANSFORMED_FILES = isBuilt
  ? [new RegExp(`${codeRoot.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/.*\\.js$`)]
  : [];

/**
 * How vitest resolves modules for the kit. A file with custom checks imports the vocabulary by the name of the package, and gets the
 * modules of this kit, wherever they are installed.
 */
export const kitModuleOptions = {
  alias: { 'invoicing-network-conformance/checks': kitModule('helpers/checks') },
  server: { deps: { external: UNTRANSFORMED_FILES } },
};
