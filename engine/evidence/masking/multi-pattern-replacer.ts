import type { SecretMatch } from './match.ts';
import { SortedTexts } from './sorted-texts.ts';

/** Number of hash values for a block of three characters. */
const TABLE_SIZE = 1 << 16;
/** Number of characters that are hashed together. */
const BLOCK_LENGTH = 3;
/** A longer window allows longer steps, but more of the steps are short. */
const MAX_WINDOW = 12;

/**
 * Finds many texts at once (Wu and Manber, A fast algorithm for multi-pattern searching, 1994). The last characters of
 * a window give the minimum distance to the next text. A regular expression of the 600 forms of the secrets of a run
 * would take as much CPU time as the rest of the run.
 */
export class MultiPatternReplacer {
  readonly texts = new SortedTexts();
  private readonly labels = new Map<string, string>();
  /** By the hash of their first three characters, the longest first. */
  private readonly textsByBeginning = new Map<number, string[]>();
  private readonly isBeginning = new Uint8Array(TABLE_SIZE);
  private maxLength = 0;
  /** Number of characters of each text that are compared: the length of the shortest text, at most MAX_WINDOW. */
  private window = MAX_WINDOW;
  /** By the hash of the last characters of a window: how far the window may move; 0 if a text may begin in it. */
  private shifts = new Uint8Array(TABLE_SIZE).fill(MAX_WINDOW - BLOCK_LENGTH + 1);

  /** Adds a text with its placeholder. The first label for a text is kept. */
  add(text: string, label: string): void {
    if (text.length < BLOCK_LENGTH || this.labels.has(text)) return;
    this.labels.set(text, label);
    this.texts.add(text);
    this.maxLength = Math.max(this.maxLength, text.length);
    const number = hashAt(text, 0);
    const alike = this.textsByBeginning.get(number) ?? [];
    this.textsByBeginning.set(
      number,
      [...alike, text].sort((a, b) => b.length - a.length),
    );
    this.isBeginning[number] = 1;
    if (text.length < this.window) this.narrowWindow(text.length);
    else this.limitShifts(text);
  }

  has(text: string): boolean {
    return this.labels.has(text);
  }

  /** Length of the longest text, in characters. */
  get maxTextLength(): number {
    return this.maxLength;
  }

  /** False if no text begins with the next three characters. */
  mayBeginAt(text: string, at: number): boolean {
    return this.isBeginning[hashAt(text, at)] === 1;
  }

  labelOf(text: string): string {
    return this.labels.get(text) ?? '';
  }

  /** Every text that is found, in order and without overlaps. */
  findMatches(text: string): SecretMatch[] {
    const hits: SecretMatch[] = [];
    const { shifts, window } = this;
    for (let at = 0; at + window <= text.length; ) {
      const step = shifts[hashAt(text, at + window - BLOCK_LENGTH)] ?? 0;
      const found = step === 0 ? this.longestTextAt(text, at) : undefined;
      if (found === undefined) {
        at += Math.max(step, 1);
        continue;
      }
      const end = this.overlapEnd(text, at, found);
      hits.push({ start: at, end, label: this.labelOf(found) });
      at = end;
    }
    return hits;
  }

  private narrowWindow(window: number): void {
    this.window = window;
    this.shifts = new Uint8Array(TABLE_SIZE).fill(window - BLOCK_LENGTH + 1);
    for (const each of this.labels.keys()) this.limitShifts(each);
  }

  /** Shortens the steps that would skip this text. */
  private limitShifts(text: string): void {
    for (let at = 0; at + BLOCK_LENGTH <= this.window; at += 1) {
      const number = hashAt(text, at);
      this.shifts[number] = Math.min(this.shifts[number] ?? 0, this.window - BLOCK_LENGTH - at);
    }
  }

  /** Another text may begin inside this one and end after it. Its end must be masked, too. */
  private overlapEnd(text: string, start: number, first: string): number {
    let end = start + first.length;
    for (let at = start + 1; at < end; at += 1) {
      const inner = this.longestTextAt(text, at);
      if (inner !== undefined) end = Math.max(end, at + inner.length);
    }
    return end;
  }

  private longestTextAt(text: string, at: number): string | undefined {
    if (at + BLOCK_LENGTH > text.length) return undefined;
    const number = hashAt(text, at);
    if (this.isBeginning[number] === 0) return undefined;
    return this.textsByBeginning.get(number)?.find((each) => text.startsWith(each, at));
  }
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & (TABLE_SIZE - 1);
}
