import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROOMS = ['specs', 'engine', 'helpers', 'suites', 'reporting', 'reference', 'cli'];

/** The names that a file declares and exports; re-exported names belong to another file. */
function exportedNames(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText(source));
    }
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.getText(source)];
  });
}

test.each(ROOMS)('%s exports no name twice', (room) => {
  const files = readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('generated/'),
  );
  const places = new Map<string, Set<string>>();
  for (const path of files) {
    // A zod schema and the type inferred from it share a file, and often a name.
    for (const name of new Set(exportedNames(`${ROOT}${room}/${path}`))) {
      places.set(name, (places.get(name) ?? new Set()).add(path));
    }
  }
  const repeated = [...places].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths].join(' '));
  expect(repeated).toEqual([]);
});
