import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

const SCHEMA = join('dist', 'specs', 'schemas', 'target.schema.json');

/**
 * The line with which editors find the JSON Schema of the target file; null unless the kit is installed in a node_modules folder
 * above or below the file. Elsewhere, a path would not work on other machines.
 */
export function schemaLine(file: string, kit: { name: string; root: string }): string | null {
  const folders = kit.root.split(sep);
  const at = folders.indexOf('node_modules');
  if (at < 0) return null;
  const project = folders.slice(0, at).join(sep) || sep;
  // pnpm keeps packages in a folder of its own, with a link under the plain name.
  const schema = join(project, 'node_modules', kit.name, SCHEMA);
  const folder = dirname(resolve(file));
  const isAbove = contains(project, folder);
  const path = relative(folder, schema).split(sep).join('/');
  const isHidden = !isAbove && path.split('/').some((name) => name.startsWith('.'));
  if (isHidden || !(isAbove || contains(folder, project)) || /\s/.test(path) || !existsSync(schema)) return null;
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}\n`;
}

function contains(folder: string, inner: string): boolean {
  const path = relative(folder, inner);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path));
}
