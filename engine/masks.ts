/** Behind what was shortened for a message. */
const CUT = '…';
/** Fewer characters of a text that was cut could be anything. */
const SHORTEST_REST = 5;
/** Bits of the number under which texts of one beginning are kept. */
const SIZE = 1 << 16;

/**
 * Texts and what is to stand in their place. A text is found in one pass, however many there are: a run knows some thousand
 * forms of secrets, and looks for all of them in everything that it keeps.
 */
export class Masks {
  private readonly labels = new Map<string, string>();
  /** By the number of their first three characters, the longest first. */
  private readonly beginnings = new Map<number, string[]>();
  private readonly known = new Uint8Array(SIZE);
  private longest = 0;

  /** The first label for a text stays. */
  add(text: string, label: string): void {
    if (text.length < 3 || this.labels.has(text)) return;
    this.labels.set(text, label);
    this.longest = Math.max(this.longest, text.length);
    const number = numberAt(text, 0);
    const alike = this.beginnings.get(number) ?? [];
    this.beginnings.set(
      number,
      [...alike, text].sort((a, b) => b.length - a.length),
    );
    this.known[number] = 1;
  }

  has(text: string): boolean {
    return this.labels.has(text);
  }

  apply(text: string): string {
    return this.withoutRests(this.withoutWhole(text));
  }

  /** The first `length` characters of what `apply` would give; what lies far behind them costs nothing. */
  start(text: string, length: number): string {
    const ample = 2 * length + this.longest;
    if (text.length > ample) {
      const masked = this.apply(text.slice(0, ample));
      // The end of it may hold a part of what goes on behind it.
      if (masked.length >= length + this.longest) return masked.slice(0, length);
    }
    return this.apply(text).slice(0, length);
  }

  /** The beginning of a text, where a message was cut in its middle. */
  private withoutRests(text: string): string {
    let masked = text;
    for (let cut = masked.indexOf(CUT); cut !== -1; cut = masked.indexOf(CUT, cut + 1)) {
      for (let start = Math.max(0, cut - this.longest); start <= cut - SHORTEST_REST; start += 1) {
        if (this.known[numberAt(masked, start)] === 0) continue;
        const rest = masked.slice(start, cut);
        const found = this.beginnings.get(numberAt(rest, 0))?.find((each) => each.startsWith(rest));
        if (found === undefined) continue;
        masked = `${masked.slice(0, start)}<${this.labels.get(found)}>${masked.slice(cut)}`;
        cut = masked.indexOf(CUT, start);
        break;
      }
    }
    return masked;
  }

  private withoutWhole(text: string): string {
    const pieces: string[] = [];
    let kept = 0;
    const { known } = this;
    // Everything that a run sends and receives passes here: a character that begins nothing costs one look.
    let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
    for (let at = 0; at + 3 <= text.length; at += 1) {
      const third = text.charCodeAt(at + 2);
      const number = numberOf(first, second, third);
      first = second;
      second = third;
      if (known[number] === 0) continue;
      const found = this.at(text, at);
      if (found === undefined) continue;
      pieces.push(text.slice(kept, at), `<${this.labels.get(found)}>`);
      kept = this.endOf(text, at, found);
      at = kept - 1;
      first = text.charCodeAt(kept);
      second = text.charCodeAt(kept + 1);
    }
    if (pieces.length === 0) return text;
    return [...pieces, text.slice(kept)].join('');
  }

  /** A text that begins inside of another one, and ends behind it, must not leave its tail. */
  private endOf(text: string, start: number, first: string): number {
    let end = start + first.length;
    for (let at = start + 1; at < end; at += 1) {
      const inner = this.at(text, at);
      if (inner !== undefined) end = Math.max(end, at + inner.length);
    }
    return end;
  }

  private at(text: string, at: number): string | undefined {
    if (at + 3 > text.length) return undefined;
    const number = numberAt(text, at);
    if (this.known[number] === 0) return undefined;
    return this.beginnings.get(number)?.find((each) => text.startsWith(each, at));
  }
}

function numberAt(text: string, at: number): number {
  return numberOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
}

function numberOf(first: number, second: number, third: number): number {
  return ((first * 31 + second) * 31 + third) & (SIZE - 1);
}
