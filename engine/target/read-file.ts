import { readFileSync } from 'node:fs';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { ConfigurationFault } from '../configuration-fault.ts';

export interface ReadTarget {
  value: Record<string, unknown>;
  /** `target.yaml:12`, the line where the member at a path stands, or that of its nearest parent. */
  placeOf: (path: readonly PropertyKey[]) => string;
}

/** Reads a YAML (or JSON) file whose content is a mapping. Throws a ConfigurationFault that names file and line. */
export function readTargetFile(file: string): ReadTarget {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationFault(`--target: cannot read ${file} (${code}); name an existing target file`);
  }
  const lines = new LineCounter();
  const document = parseDocument(guarded(text), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    // The others follow from the first. Behind the colon stands the text that was found, which may be a secret.
    throw new ConfigurationFault(
      `${at(problem.pos[0])}: not readable as YAML: ${problem.message.replace(/:\s.*$/s, '')}`,
    );
  }
  const value = plain(document, file);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new ConfigurationFault(`${file}: must hold a mapping with baseUrl and actors`);
  }
  const placeOf = (path: readonly PropertyKey[]) => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return file;
  };
  return { value: value as Record<string, unknown>, placeOf };
}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const GUARDED = /\uE000(\w+)\uE001/g;

/** Without the braces that YAML takes for a mapping in `{ key: ${NAME} }`. */
function guarded(text: string): string {
  return text.replace(REFERENCE, '\uE000$1\uE001');
}

function plain(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({
      reviver: (_, value: unknown) => (typeof value === 'string' ? value.replace(GUARDED, '${$1}') : value),
    });
  } catch {
    // What a value that begins with * means to YAML. The library's message holds the value.
    throw new ConfigurationFault(`${file}: not readable as YAML: a value that begins with * must stand in quotes`);
  }
}
