import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A text in a source file, with its place. */
export interface SourceText {
  where: string;
  text: string;
}

const root = new URL('../../', import.meta.url);

/** The paths of the files of a folder, relative to the root of the kit. */
function filePaths(folder: string, extension: string): string[] {
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith(extension)).map((file) => `${folder}/${file}`);
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(new URL(path, root), 'utf8'), ts.ScriptTarget.Latest, true);
}

function textsOf(source: ts.SourceFile, isWanted: (node: ts.Node) => boolean): SourceText[] {
  const texts: SourceText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && isWanted(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      texts.push({ where: `${source.fileName}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function isTitle(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  return /^(describe|test|it)\b/.test(parent.expression.getText());
}

/** The string literals and template texts of a folder that contain several words. */
export function messageTexts(folder: string): SourceText[] {
  return filePaths(folder, '.ts')
    .flatMap((path) => textsOf(parse(path), () => true))
    .filter(({ text }) => /\S \S/.test(text));
}

/** The titles of all tests. */
export function testTitles(): SourceText[] {
  return filePaths('tests', '.test.ts').flatMap((path) => textsOf(parse(path), isTitle));
}

/** The lines of the docs, without code and without quotations of the contract. */
export function documentLines(): SourceText[] {
  const paths = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filePaths('docs', '.md')];
  return paths
    .filter((path) => path !== 'docs/GLOSSARY.md')
    .flatMap((path) => {
      const text = readFileSync(new URL(path, root), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, (code) =>
        code.replaceAll(/[^\n]/g, ''),
      );
      return text.split('\n').map((line, at) => ({
        where: `${path}:${at + 1}`,
        text: line.replaceAll(/`[^`]*`|"[^"]*"/g, '…'),
      }));
    });
}
