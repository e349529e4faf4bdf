import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import type { Need } from '../../engine/target/capabilities.ts';
import type { ReadArea } from '../../helpers/custom/custom-area.ts';
import type { CustomArea } from '../../specs/formats/custom-area.ts';
import { kitModule, kitModuleOptions } from '../processes/kit-modules.ts';
import { createTemporaryFolder } from '../processes/temporary-folder.ts';

/** The custom checks of a run, before it starts. */
export interface CustomChecks {
  /** Absolute paths, with slashes. */
  readonly files: readonly string[];
  readonly areas: readonly CustomArea[];
  readonly needs: readonly Need[];
}

/** Imports files with custom checks, in TypeScript or JavaScript, and validates them. Rejects with a ConfigurationError. */
export async function loadCustomChecks(files: readonly string[]): Promise<CustomChecks> {
  const paths = files.map(resolveFile);
  const areas = await importAreas(paths.map((path, at) => [path, files[at] ?? path]));
  return {
    files: paths,
    areas: areas.map(({ description }) => description),
    needs: areas.flatMap(({ checks }) => checks.flatMap(({ needs }) => needs)),
  };
}

function resolveFile(file: string): string {
  if (!existsSync(file)) throw new ConfigurationError(`--custom-checks: ${file} does not exist; name a file`);
  if (statSync(file).isDirectory())
    throw new ConfigurationError(
      `--custom-checks: ${file} is a folder; name each file in it with its own --custom-checks`,
    );
  return realpathSync(file).replaceAll('\\', '/');
}

async function importAreas(files: readonly (readonly [path: string, name: string])[]): Promise<readonly ReadArea[]> {
  const cacheDir = createTemporaryFolder('custom');
  // Loaded on demand: vitest is slow to load.
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest('test', { config: false, watch: false, root: cacheDir, ...kitModuleOptions }, {
    configFile: false,
    cacheDir,
    logLevel: 'silent',
  } as Parameters<typeof createVitest>[2]);
  try {
    const definitions: [string, unknown][] = [];
    for (const [path, name] of files) definitions.push([name, await importDefault(vitest, path, name)]);
    // From the same module graph as the files, so that both use the same classes.
    const { readCustomAreas } = await vitest.import<typeof import('../../helpers/custom/custom-area.ts')>(
      kitModule('helpers/custom/custom-area'),
    );
    const { areas, problems } = readCustomAreas(definitions);
    if (problems.length > 0) throw new ConfigurationError(...problems.map((problem) => `--custom-checks: ${problem}`));
    return areas;
  } finally {
    await vitest.close();
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

async function importDefault(
  vitest: { import<T>(path: string): Promise<T> },
  path: string,
  name: string,
): Promise<unknown> {
  try {
    const module = await vitest.import<{ default?: unknown }>(path);
    return module.default;
  } catch (error) {
    // The transformer names the error on the second line.
    const lines = stripVTControlCharacters(String(error instanceof Error ? error.message : error)).split('\n');
    const message = lines
      .map((line) => line.trim())
      .filter(Boolean)
      .slice(0, 2)
      .join(' ');
    throw new ConfigurationError(`--custom-checks: ${name} cannot be loaded: ${message}`);
  }
}
