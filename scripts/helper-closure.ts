import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * `npm run closure`: how many files of helpers/ a reader opens who follows a check to the request, by what its code calls. Types are
 * not counted.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

/** The declarations that the code of a node names, outside types. */
function declarationsIn(node: ts.Node): Set<ts.Declaration> {
  const found = new Set<ts.Declaration>();
  const visit = (each: ts.Node): void => {
    if (ts.isTypeNode(each)) return;
    if (ts.isIdentifier(each)) {
      const symbol = checker.getSymbolAtLocation(each);
      const real = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (real?.valueDeclaration) found.add(real.valueDeclaration);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

const pathOf = (node: ts.Node) => node.getSourceFile().fileName.slice(root.length);
const isInHouse = (path: string) => path.startsWith('helpers/') || path.startsWith('suites/');
const closures = new Map<ts.Declaration, ReadonlySet<ts.Declaration>>();

function directOf(declaration: ts.Declaration): ReadonlySet<ts.Declaration> {
  const known = closures.get(declaration) ?? declarationsIn(declaration);
  closures.set(declaration, known);
  return known;
}

function helperFilesBehind(node: ts.Node): Set<string> {
  const seen = new Set<ts.Declaration>();
  const queue = [...declarationsIn(node)];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next) || !isInHouse(pathOf(next))) continue;
    seen.add(next);
    queue.push(...directOf(next));
  }
  return new Set([...seen].map(pathOf).filter((path) => path.startsWith('helpers/')));
}

/** The elements of the lists that suite files export, with the first id in their text. */
function elementsOf(file: ts.SourceFile): { id: string; node: ts.Node }[] {
  const elements: { id: string; node: ts.Node }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) {
      for (const each of node.elements) {
        const [, id] = /['`]([A-Z]+-\d\d\.[a-z0-9-]+)/.exec(each.getText(file)) ?? [];
        if (id !== undefined) elements.push({ id, node: each });
      }
      return;
    }
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) if (ts.isVariableStatement(statement)) visit(statement);
  return elements;
}

const counted = program
  .getSourceFiles()
  .filter(({ fileName }) => fileName.startsWith(`${root}suites/`) && !fileName.includes('/every-exchange/'))
  .flatMap(elementsOf)
  .map(({ id, node }) => ({ id, files: helperFilesBehind(node).size }))
  .sort((one, other) => other.files - one.files);
const median = counted[Math.floor(counted.length / 2)]?.files;
console.log(
  `helper files behind a check: median ${median}, maximum ${counted[0]?.files} (${counted.length} checks and tables)`,
);
for (const { id, files } of counted.slice(0, 15)) console.log(`${String(files).padStart(4)}  ${id}`);
