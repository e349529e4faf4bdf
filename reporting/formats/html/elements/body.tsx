/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { truncate } from '../../../text/escape-control-characters.ts';
import { type JsonLine, jsonLines } from './json-lines.ts';

/** evidence.jsonl contains the full body. */
const MAX_BODY_LENGTH = 20_000;
const MAX_LINES = 30;
const MAX_LENGTH_WITHOUT_SCROLLING = 4000;

interface BodyProps {
  readonly text: string;
  readonly label: string;
  /** The jq paths of the values to mark. */
  readonly marked?: ReadonlySet<string>;
}

/** A body: JSON indented and coloured, other text unchanged. A long one scrolls in its own box, which must be focusable by keyboard. */
export function Body({ text, label, marked = new Set() }: BodyProps) {
  const lines = text.length > MAX_BODY_LENGTH ? null : jsonLines(text);
  const content =
    lines === null ? truncate(text, MAX_BODY_LENGTH) : lines.map((line, at) => renderLine(line, at, marked));
  const isLong = (lines ?? text.split('\n')).length > MAX_LINES || text.length > MAX_LENGTH_WITHOUT_SCROLLING;
  if (!isLong) return <pre class="body">{content}</pre>;
  return (
    <section class="long" tabindex={0} aria-label={label}>
      <pre class="body">{content}</pre>
    </section>
  );
}

/** A short JSON value, on one line if it fits. */
export function JsonValue({ json }: { json: string }) {
  const lines = json.length <= 60 ? null : jsonLines(json);
  return <>{lines === null ? json : lines.map((line, at) => renderLine(line, at, new Set()))}</>;
}

function renderLine({ indent, tokens, path }: JsonLine, at: number, marked: ReadonlySet<string>) {
  const start = `${at === 0 ? '' : '\n'}${'  '.repeat(indent)}`;
  const parts = tokens.flatMap((token) => {
    const kind = kindOf(token);
    if (kind === null) return [token];
    return kind === 'k' ? [<span class="k">{token.slice(0, -2)}</span>, ': '] : [<span class={kind}>{token}</span>];
  });
  return (
    <>
      {start}
      {path !== null && marked.has(path) ? <mark>{parts}</mark> : parts}
    </>
  );
}

/** The class of a name, a string, or a number or other word; null for punctuation. */
function kindOf(token: string): 'k' | 's' | 'n' | null {
  if (token.endsWith(': ')) return 'k';
  if (token.startsWith('"')) return 's';
  return /^[\w.+-]+$/.test(token) ? 'n' : null;
}
