import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
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
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    throw new ConfigurationFault(
      ...problems.map(({ message, pos }) => `${at(pos[0])}: not readable as YAML: ${message}`),
    );
  }
  const value: unknown = document.toJS();
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
