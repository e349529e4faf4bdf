import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { ConfigurationError } from '../model/configuration-error.ts';
import { readTextFile } from './text-file.ts';
import { yamlProblem } from './validation/yaml-problems.ts';

type FieldPath = readonly PropertyKey[];

export interface ParsedFile {
  value: Record<string, unknown>;
  /** `target.yaml:12`, the line of the field at a path, or of its nearest parent. */
  locationOf: (path: FieldPath) => string;
  /** The offset of that field in the file, in characters. */
  offsetOf: (path: FieldPath) => number;
  /** Messages about fields that appear more than once, with their offsets. */
  duplicateFields: readonly { offset: number; line: string }[];
}

/** What a file is for, in the words of its error messages. */
export interface FilePurpose {
  /** The option or variable that names the file. */
  readonly option: string;
  /** What the option expects, such as `an existing target file`. */
  readonly wanted: string;
  /** The fields of the file, after "write". */
  readonly content: string;
  /** How to get such a file, in parentheses; empty if there is no command for it. */
  readonly hint?: string;
}

/** Reads a target file. Throws a ConfigurationError that names file and line. */
export function readTargetFile(file: string, option = '--target'): ParsedFile {
  const hint = ' ("conformance init" writes a file to fill in)';
  return readMappingFile(file, { option, wanted: 'an existing target file', content: 'baseUrl and actors', hint });
}

/** Reads a YAML (or JSON) file whose content is a mapping. Throws a ConfigurationError that names file and line. */
export function readMappingFile(file: string, { option, wanted, content, hint = '' }: FilePurpose): ParsedFile {
  const text = escapeBraces(readTextFile(file, option, wanted));
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  // YAML reports an unclosed bracket at the end of the file, which may lie after the last line.
  const end = text.trimEnd().length;
  const at = (offset: number) => `${file}:${lines.linePos(Math.min(offset, end)).line}`;
  const errors = [...document.errors, ...document.warnings];
  // Later errors are consequences of the first.
  const problem = errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  if (problem) {
    const [offset] = problem.pos;
    const line = text.split('\n')[lines.linePos(offset).line - 1] ?? '';
    throw new ConfigurationError(`${at(offset)}: ${yamlProblem(problem.code, problem.message, line)}`);
  }
  assertScalarKeys(document, at);
  const repeated = errors.map(({ pos: [offset] }) => {
    const [key = 'a field'] = /^[\w.-]+/.exec(text.slice(offset).replace(/^["']/, '')) ?? [];
    const name = [...namesAbove(document, offset), key].join('.');
    return { offset, line: `${at(offset)}: ${name}: appears here a second time; remove one of the two` };
  });
  const value = toPlainValue(document, at);
  if (value === null || value === undefined) {
    throw new ConfigurationError(`${file}:1: the file is empty; write ${content}${hint}`);
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'a list' : 'a text without fields';
    throw new ConfigurationError(`${file}:1: found ${found}; write a mapping with ${content} (name: value)`);
  }
  const offsetOf = (path: FieldPath) => findOffset(document, path);
  return {
    value: value as Record<string, unknown>,
    locationOf: (path) => at(offsetOf(path)),
    offsetOf,
    duplicateFields: repeated,
  };
}

/** The names of the fields that contain a place of the text, from the outermost one. */
function namesAbove(document: Document.Parsed, offset: number): string[] {
  const names: string[] = [];
  visit(document, {
    Pair: (_, { key, value }) => {
      const [from, to] = (isNode(value) && value.range) || [0, 0];
      if (isScalar(key) && from <= offset && offset < to) names.push(String(key.value));
    },
  });
  return names;
}

/** Rejects a list or a mapping as the name of a field: `{id}: …` without quotes. */
function assertScalarKeys(document: Document.Parsed, at: (offset: number) => string): void {
  visit(document, {
    Pair: (_, { key }) => {
      if (!isCollection(key)) return;
      const found = 'found braces or brackets in the name of a field; put the name in quotes';
      throw new ConfigurationError(`${at(key.range?.[0] ?? 0)}: not readable as YAML: ${found}`);
    },
  });
}

/** The offset of the field at a path, or of its nearest parent in the file. */
function findOffset(document: Document.Parsed, path: FieldPath): number {
  let node: Node | null | undefined = document.contents;
  let offset = 0;
  for (const name of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && unescapeBraces(String(key.value)) === String(name));
      if (!isScalar(pair?.key)) return offset;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(name)] as Node | undefined;
      offset = node?.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

const BRACED_REFERENCE = /\$\{([^{}\n"',]*)\}/g;
const PLACEHOLDER = /(?<=[^\s:,{}[\]"'])\{(\w+)\}/g;

/** Replaces the braces that YAML would read as a mapping in `{ key: ${NAME}, path: /invoices/{id} }`. */
function escapeBraces(text: string): string {
  const references = text.replace(BRACED_REFERENCE, '\uE000$1\uE001').replace(BRACED_REFERENCE, '\uE000$1\uE001');
  return references.replace(PLACEHOLDER, '\uE002$1\uE001');
}

function unescapeBraces(text: string): string {
  return text.replaceAll('\uE000', '${').replaceAll('\uE002', '{').replaceAll('\uE001', '}');
}

function toPlainValue(document: Document.Parsed, at: (offset: number) => string): unknown {
  try {
    return unescapeBracesDeep(document.toJS());
  } catch {
    // A secret may begin with *, and the library's message would show it.
    const aliases: Alias[] = [];
    visit(document, { Alias: (_, node) => void aliases.push(node) });
    const open = aliases.find((alias) => alias.resolve(document) === undefined);
    const offset = (open ?? aliases.at(-1))?.range?.[0] ?? 0;
    const problem = open
      ? 'found an alias (*name) without its anchor (&name); add the anchor, or put the value in quotes if it is a text'
      : 'found aliases (*name) that contain themselves or stand for too many values; write these values without aliases';
    throw new ConfigurationError(`${at(offset)}: not readable as YAML: ${problem}`);
  }
}

function unescapeBracesDeep(value: unknown): unknown {
  if (typeof value === 'string') return unescapeBraces(value);
  if (Array.isArray(value)) return value.map(unescapeBracesDeep);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [unescapeBraces(name), unescapeBracesDeep(item)]),
  );
}
