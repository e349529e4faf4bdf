import { memberPath, parseJson } from '../../../text/json-path.ts';

/** The size of indented JSON grows with the square of its depth. */
const MAX_DEPTH = 40;

/** A line of indented JSON. */
export interface JsonLine {
  readonly indent: number;
  readonly tokens: readonly string[];
  /** The jq path of the value that begins on this line; null for a closing bracket. */
  readonly path: string | null;
}

interface OpenValue {
  readonly path: string;
  /** An empty array or object, for `memberPath`. */
  readonly kind: object;
  index: number;
}

/**
 * The lines of indented JSON; null if the text is not JSON or nested too deeply. Works on tokens instead of the parsed value, so that 100.50
 * does not become 100.5 and duplicate names are kept.
 */
export function jsonLines(text: string): JsonLine[] | null {
  if (parseJson(text) === undefined) return null;
  const lines: { indent: number; tokens: string[]; path: string | null }[] = [];
  const open: OpenValue[] = [];
  let previous = '';
  let path = '';
  for (const token of text.match(TOKEN) ?? []) {
    if (token.trim() === '') continue;
    const isClosing = token === '}' || token === ']';
    const follows = previous === '{' || previous === '[';
    if (isClosing) open.pop();
    if (open.length > MAX_DEPTH) return null;
    const holder = open.at(-1);
    const isName = token.endsWith(':');
    const name = isName ? token.slice(0, -1).trimEnd() : '';
    if (holder && isName) path = holder.path + memberPath(holder.kind, String(parseJson(name)));
    else if (holder && Array.isArray(holder.kind) && !isClosing && token !== ',')
      path = `${holder.path}[${holder.index}]`;
    const begins = lines.length === 0 || previous === ',' || follows !== isClosing;
    if (begins) lines.push({ indent: open.length, tokens: [], path: isClosing ? null : path });
    lines.at(-1)?.tokens.push(isName ? `${name}: ` : token);
    if (token === '{' || token === '[') open.push({ path, kind: token === '[' ? [] : {}, index: 0 });
    if (token === ',' && holder) holder.index += 1;
    previous = token;
  }
  return lines;
}

/** Strings (with the colon after a name), punctuation, other words, white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\],]|[^\s{}[\],"]+|\s+/g;
