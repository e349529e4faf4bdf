import { ENTITY_NAMES, NAMES_WITHOUT_SEMICOLON } from './entity-names.ts';

/** One way to read a text at an index: the decoded characters, and the index after them. */
export interface EscapeReading {
  text: string;
  end: number;
}

interface ParsedNumber {
  value: number;
  digits: number;
  end: number;
}

/** The three kinds of escapes: `\u0073`, `&#115;` or `&amp;`, `%73`. */
const ESCAPE_PATTERN = /\\.|%(?:[0-9a-f]{2}|u[0-9a-f]{4})|&(?:#|[a-z]+;|amp|lt|gt|quot)/is;
const ESCAPE_LEADS = new Set(['\\', '&', '%', '+'].map((lead) => lead.charCodeAt(0)));
const MAX_ENTITY_NAME_LENGTH = Math.max(...[...ENTITY_NAMES.keys()].map((name) => name.length));
const MAX_CODE_POINT = 0x10ffff;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

export function mayContainEscapes(text: string): boolean {
  return (text.includes('\\') || text.includes('&') || text.includes('%')) && ESCAPE_PATTERN.test(text);
}

/**
 * Reads a text in every way that a decoder of JSON strings, HTML or percent-encoding could. Each escape may be decoded
 * or left as it is, and its characters may be escapes themselves, up to `depth` levels.
 */
export class EscapeReader {
  readonly text: string;
  private readonly cache: Map<number, readonly EscapeReading[]>[] = [];

  constructor(text: string) {
    this.text = text;
  }

  hasLeadWithin(at: number, count: number): boolean {
    for (let place = at; place < at + count; place += 1) if (ESCAPE_LEADS.has(this.text.charCodeAt(place))) return true;
    return false;
  }

  /** All ways to read the text at this index. The unchanged character comes first. */
  readings(at: number, depth: number): readonly EscapeReading[] {
    if (at >= this.text.length) return [];
    if (depth === 0 || !ESCAPE_LEADS.has(this.text.charCodeAt(at)))
      return [{ text: this.text.charAt(at), end: at + 1 }];
    this.cache[depth] ??= new Map();
    const known = this.cache[depth].get(at);
    if (known !== undefined) return known;
    const below = this.readings(at, depth - 1);
    if (depth > 1 && this.isFullyDecoded(at, below)) return below;
    const all = [...below];
    for (const lead of below) {
      for (const reading of this.decode(lead, depth - 1)) {
        if (!all.some(({ text, end }) => end === reading.end && text === reading.text)) all.push(reading);
      }
    }
    this.cache[depth].set(at, all);
    return all;
  }

  /**
   * Whether the escape at this index is complete and made of plain characters, so that another level of decoding
   * changes nothing.
   */
  private isFullyDecoded(at: number, [, escaped, ...others]: readonly EscapeReading[]): boolean {
    if (escaped === undefined || others.length > 0 || this.hasLeadWithin(at + 1, escaped.end - at - 1)) return false;
    const code = escaped.text.charCodeAt(0);
    if (ESCAPE_LEADS.has(code)) return false;
    const lead = this.text.charAt(at);
    // An octal number, a number without its semicolon and the first byte of a sequence may continue after it.
    if (lead === '\\') return !isDigit(this.text.charCodeAt(at + 1), 10);
    return lead === '&' ? this.text.charAt(escaped.end - 1) === ';' : code < 0x80;
  }

  private decode({ text, end }: EscapeReading, depth: number): readonly EscapeReading[] {
    if (text === '\\') return this.afterBackslash(end, depth);
    if (text === '&') return this.afterAmpersand(end, depth);
    if (text === '%') return this.afterPercent(end, depth);
    // HTML forms encode a space as a plus sign.
    return text === '+' ? [{ text: ' ', end }] : [];
  }

  private afterBackslash(at: number, depth: number): EscapeReading[] {
    return this.readings(at, depth).flatMap(({ text, end }) => {
      if (text === 'u') return this.character(this.number(end, depth, 16, 4), 4) ?? this.bracedCharacter(end, depth);
      if (text === 'x') return this.character(this.number(end, depth, 16, 2), 2) ?? [];
      if (text >= '0' && text <= '7') return this.character(this.number(at, depth, 8, 3), 1) ?? [];
      return [{ text: SHORT_ESCAPES[text] ?? text, end }];
    });
  }

  private bracedCharacter(at: number, depth: number): EscapeReading[] {
    const opened = this.skipCharacter('{', at, depth);
    const code = opened === null ? null : this.number(opened, depth, 16);
    const closed = code === null ? null : this.skipCharacter('}', code.end, depth);
    return code === null || closed === null ? [] : (this.character({ ...code, end: closed }, 1) ?? []);
  }

  private afterAmpersand(at: number, depth: number): EscapeReading[] {
    const hash = this.skipCharacter('#', at, depth);
    if (hash === null) return this.namedEntity(at, depth);
    const x = this.skipCharacter('x', hash, depth) ?? this.skipCharacter('X', hash, depth);
    const code = x === null ? this.number(hash, depth, 10) : this.number(x, depth, 16);
    if (code === null) return [];
    return this.character({ ...code, end: this.skipCharacter(';', code.end, depth) ?? code.end }, 1) ?? [];
  }

  private namedEntity(at: number, depth: number): EscapeReading[] {
    const found: EscapeReading[] = [];
    let name = '';
    for (let place = at; name.length <= MAX_ENTITY_NAME_LENGTH; ) {
      const next = this.readings(place, depth).find(({ text }) => /^[A-Za-z;]$/.test(text));
      if (next === undefined) break;
      place = next.end;
      if (next.text === ';') {
        const text = ENTITY_NAMES.get(name);
        return text === undefined ? found : [...found, { text, end: place }];
      }
      name += next.text;
      const bare = NAMES_WITHOUT_SEMICOLON.find((each) => each === name);
      if (bare !== undefined) found.push({ text: ENTITY_NAMES.get(bare) ?? '', end: place });
    }
    return found;
  }

  private afterPercent(at: number, depth: number): EscapeReading[] {
    const u = this.skipCharacter('u', at, depth);
    if (u !== null) return this.character(this.number(u, depth, 16, 4), 4) ?? [];
    const byte = this.number(at, depth, 16, 2);
    if (byte?.digits !== 2) return [];
    return [{ text: String.fromCharCode(byte.value), end: byte.end }, ...this.utf8Character(byte, depth)];
  }

  /** The character whose UTF-8 encoding starts with this byte and continues in the next percent escapes. */
  private utf8Character(first: ParsedNumber, depth: number): EscapeReading[] {
    if (first.value < 0xc2 || first.value > 0xf4) return [];
    const bytes = [first.value];
    let { end } = first;
    for (let more = first.value < 0xe0 ? 1 : first.value < 0xf0 ? 2 : 3; more > 0; more -= 1) {
      const percent = this.skipCharacter('%', end, depth);
      const byte = percent === null ? null : this.number(percent, depth, 16, 2);
      if (byte?.digits !== 2) return [];
      bytes.push(byte.value);
      end = byte.end;
    }
    return [{ text: Buffer.from(bytes).toString(), end }];
  }

  private number(at: number, depth: number, base: 8 | 10 | 16, most = Number.POSITIVE_INFINITY): ParsedNumber | null {
    const read = { value: 0, digits: 0, end: at };
    while (read.digits < most) {
      const next = this.digit(read.end, depth, base);
      if (next === null) break;
      read.value = Math.min(read.value * base + next.value, MAX_CODE_POINT + 1);
      read.digits += 1;
      read.end = next.end;
    }
    return read.digits === 0 ? null : read;
  }

  private digit(at: number, depth: number, base: number): { value: number; end: number } | null {
    const code = this.text.charCodeAt(at);
    if (depth === 0 || !ESCAPE_LEADS.has(code))
      return isDigit(code, base) ? { value: digitValue(code), end: at + 1 } : null;
    const reading = this.readings(at, depth).find(({ text }) => text.length === 1 && isDigit(text.charCodeAt(0), base));
    return reading === undefined ? null : { value: digitValue(reading.text.charCodeAt(0)), end: reading.end };
  }

  /** The character for a number; null if the number has too few digits. */
  private character(read: ParsedNumber | null, least: number): EscapeReading[] | null {
    if (read === null || read.digits < least || read.value > MAX_CODE_POINT) return null;
    return [{ text: String.fromCodePoint(read.value), end: read.end }];
  }

  /** The index after this character; null if the text has another character there. */
  private skipCharacter(character: string, at: number, depth: number): number | null {
    if (this.text.charAt(at) === character) return at + 1;
    if (depth === 0 || !ESCAPE_LEADS.has(this.text.charCodeAt(at))) return null;
    return this.readings(at, depth).find(({ text }) => text === character)?.end ?? null;
  }
}

function isDigit(code: number, base: number): boolean {
  return digitValue(code) < base;
}

/** The value of a digit in any base up to 16; 16 for any other character. */
function digitValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = (code | 32) - 97;
  return letter >= 0 && letter < 6 ? letter + 10 : 16;
}
