import { EscapeReader } from './escape-reader.ts';

/** A part of a text with its escapes decoded once. */
export interface UnescapedText {
  text: string;
  /** The index in the original text for an index in this one. */
  originalIndex: (at: number) => number;
}

/** A decoder for one kind of escape leaves the other two unchanged. */
const ESCAPE_KINDS = ['\\', '&', '%'];
/** In characters. A text that is farther away from an escape is not part of the same secret. */
const MAX_DISTANCE = 2048;

interface Escape {
  start: number;
  end: number;
  text: string;
}

/** The text around escapes, decoded by each decoder alone and by all of them together. */
export function unescapedTexts(text: string): UnescapedText[] {
  const present = ESCAPE_KINDS.filter((kind) => text.includes(kind));
  const each = present.length > 1 ? [...present, present.join('')] : present;
  return each.flatMap((kinds) =>
    groupNeighbours(findEscapes(text, kinds)).map((escapes) => decodeSurroundings(text, escapes)),
  );
}

function findEscapes(text: string, kinds: string): Escape[] {
  const reader = new EscapeReader(text);
  const leads = new RegExp(`[${kinds.replace('\\', '\\\\')}]`, 'g');
  const found: Escape[] = [];
  for (let lead = leads.exec(text); lead !== null; lead = leads.exec(text)) {
    const { index: start } = lead;
    const reading = isShortEscape(text, start)
      ? undefined
      : reader.readings(start, 1).find(({ end }) => end > start + 1);
    if (reading === undefined) continue;
    found.push({ ...reading, start });
    leads.lastIndex = reading.end;
  }
  return found;
}

/** A short escape, such as a line break. Its letter may also belong to the text after it. */
function isShortEscape(text: string, at: number): boolean {
  return text.charAt(at) === '\\' && /[0-9a-tvwyz]/i.test(text.charAt(at + 1));
}

function groupNeighbours(escapes: readonly Escape[]): Escape[][] {
  const groups: Escape[][] = [];
  for (const each of escapes) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group !== undefined && before !== undefined && each.start - before.end <= 2 * MAX_DISTANCE) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** A part of the decoded text: copied, or decoded from one escape. */
interface Segment {
  start: number;
  originalStart: number;
  copied: boolean;
}

function decodeSurroundings(text: string, escapes: readonly Escape[]): UnescapedText {
  const stretches: Segment[] = [];
  const pieces: string[] = [];
  let length = 0;
  const append = (piece: string, place: number, copied: boolean) => {
    stretches.push({ start: length, originalStart: place, copied });
    pieces.push(piece);
    length += piece.length;
  };
  let kept = Math.max(0, (escapes[0]?.start ?? 0) - MAX_DISTANCE);
  for (const { start, end, text: character } of escapes) {
    if (start > kept) append(text.slice(kept, start), kept, true);
    append(character, start, false);
    kept = end;
  }
  append(text.slice(kept, kept + MAX_DISTANCE), kept, true);
  return { text: pieces.join(''), originalIndex: (at) => originalIndexIn(stretches, at) };
}

function originalIndexIn(stretches: readonly Segment[], at: number): number {
  const stretch = stretches.findLast(({ start }) => start <= at);
  if (stretch === undefined) return 0;
  return stretch.copied ? stretch.originalStart + at - stretch.start : stretch.originalStart;
}
