import { truncate } from '../../text/escape-control-characters.ts';
import { joinMarkup, type Markup, markup } from './markup.ts';

/** evidence.jsonl contains the full body. */
const MAX_BODY_LENGTH = 20_000;
/** The size of indented JSON grows with the square of its depth. */
const MAX_DEPTH = 40;

/** A body as HTML: JSON indented and coloured, other text unchanged. */
export function bodyText(body: string): Markup {
  const indented = body.length > MAX_BODY_LENGTH ? null : indentJson(body);
  return indented === null
    ? markup`${truncate(body, MAX_BODY_LENGTH)}`
    : joinMarkup(tokenize(indented).map(colorToken));
}

/**
 * Indented JSON; null if the text is not JSON. Works on tokens instead of the parsed value, so that 100.50 does not become 100.5
 * and duplicate names are kept.
 */
export function indentJson(text: string): string | null {
  if (!isJson(text)) return null;
  let depth = 0;
  let previous = '';
  let out = '';
  for (const token of tokenize(text)) {
    if (token.trim() === '') continue;
    const closing = token === '}' || token === ']';
    const opened = previous === '{' || previous === '[';
    if (opened) depth += 1;
    if (closing) depth -= 1;
    if (depth > MAX_DEPTH) return null;
    if (previous === ',' || opened !== closing) out += `\n${'  '.repeat(depth)}`;
    out += token.endsWith(':') ? `${token.slice(0, -1).trimEnd()}: ` : token;
    previous = token;
  }
  return out;
}

/** Strings (with the colon after a name), punctuation, other words, white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\],]|[^\s{}[\],"]+|\s+/g;

function tokenize(json: string): string[] {
  return json.match(TOKEN) ?? [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function colorToken(token: string): Markup {
  if (token.endsWith(':')) return markup`<span class="k">${token.slice(0, -1)}</span>:`;
  if (token.startsWith('"')) return markup`<span class="s">${token}</span>`;
  return /^[\w.+-]+$/.test(token) ? markup`<span class="n">${token}</span>` : markup`${token}`;
}
