import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The modules that `exports` of package.json names, without extension. */
const PUBLIC_MODULES = ['helpers/checks', 'suites/register-suites', 'engine/vitest/conformance-project'];

/** Copies the declarations of the public modules, and of those that they need, from `declarations` into `dist`. */
export function copyPublicTypes(declarations: string, dist: string): void {
  const entries = PUBLIC_MODULES.map((module) => join(declarations, `${module}.d.ts`));
  for (const file of reachableFiles(entries)) {
    const place = join(dist, relative(declarations, file));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, withBuiltExtensions(readFileSync(file, 'utf8')));
  }
}

function reachableFiles(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries);
  for (const file of found) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    for (const { fileName } of importedFiles) {
      const imported = join(dirname(file), fileName.replace(/\.tsx?$/, '.d.ts'));
      if (fileName.startsWith('.') && existsSync(imported)) found.add(imported);
    }
  }
  return found;
}

/** TypeScript rewrites the extensions of imports in code, but not in declarations. */
function withBuiltExtensions(declaration: string): string {
  return declaration.replaceAll(/(from '|import\(')(\.[^']*)\.tsx?'/g, "$1$2.js'");
}
