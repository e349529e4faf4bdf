/** A part of a text, decoded as a whole. */
export interface DecodedBlock {
  /** One character for each byte. */
  text: string;
  /** The range of the encoded text that holds these bytes. */
  rangeOf: (start: number, end: number) => { start: number; end: number };
}

/** The value of each digit, by character code; -1 for other characters. */
const BASE64 = digitValues('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_', 62);
const HEX = digitValues('0123456789abcdef', 'ABCDEF', 10);

/**
 * The parts of a text that may hold at least `leastBytes` bytes of ASCII, in Base64 (either alphabet) or in hexadecimal
 * digits.
 */
export function encodedBlocks(text: string, leastBytes: number): DecodedBlock[] {
  const groups = Math.max(2, Math.floor((leastBytes - 2) / 3));
  const blocks: DecodedBlock[] = [];
  for (const { start, end } of findRuns(text, BASE64, groups * 4)) {
    for (let at = start; at < start + 4; at += 1) {
      if (hasAsciiRow(text, at, end, groups, 4, isAsciiGroup)) blocks.push(base64Block(text.slice(at, end), at));
    }
  }
  for (const { start, end } of findRuns(text, HEX, leastBytes * 2)) {
    for (let at = start; at < start + 2; at += 1) {
      if (hasAsciiRow(text, at, end, leastBytes, 2, isAsciiByte)) blocks.push(hexBlock(text.slice(at, end), at));
    }
  }
  return blocks;
}

function base64Block(encoded: string, start: number): DecodedBlock {
  return {
    text: Buffer.from(encoded, 'base64').toString('latin1'),
    rangeOf: (first, last) => ({ start: start + Math.floor((first * 4) / 3), end: start + Math.ceil((last * 4) / 3) }),
  };
}

function hexBlock(encoded: string, start: number): DecodedBlock {
  return {
    text: Buffer.from(encoded, 'hex').toString('latin1'),
    rangeOf: (first, last) => ({ start: start + first * 2, end: start + last * 2 }),
  };
}

interface CharacterRun {
  start: number;
  end: number;
}

const NO_RUNS: readonly CharacterRun[] = [];

/**
 * The longest runs of digits with at least `least` characters. Reads only a few of the characters, because regular
 * expressions would take a quarter of the CPU time of a run.
 */
function findRuns(text: string, values: Int8Array, least: number): readonly CharacterRun[] {
  let found: CharacterRun[] | undefined;
  let end = 0;
  for (let at = least - 1; at < text.length; at += least) {
    if (digitValueAt(values, text, at) < 0) continue;
    let start = at;
    while (start > end && digitValueAt(values, text, start - 1) >= 0) start -= 1;
    end = at + 1;
    while (end < text.length && digitValueAt(values, text, end) >= 0) end += 1;
    if (end - start >= least) {
      found ??= [];
      found.push({ start, end });
    }
    at = end;
  }
  return found ?? NO_RUNS;
}

/**
 * Whether at least `least` groups in a row can be ASCII. Reads each row backwards: a group that cannot be ASCII rules
 * out every row that contains it.
 */
function hasAsciiRow(
  text: string,
  start: number,
  end: number,
  least: number,
  size: number,
  isAscii: (text: string, at: number) => boolean,
): boolean {
  let at = start + (least - 1) * size;
  while (at + size <= end) {
    let row = 0;
    for (; row < least && isAscii(text, at); row += 1) at -= size;
    if (row === least) return true;
    at += least * size;
  }
  return false;
}

/** Whether the highest bit of each of the three bytes is 0. */
function isAsciiGroup(text: string, at: number): boolean {
  return (
    (digitValueAt(BASE64, text, at) & 0b100000) === 0 &&
    (digitValueAt(BASE64, text, at + 1) & 0b001000) === 0 &&
    (digitValueAt(BASE64, text, at + 2) & 0b000010) === 0
  );
}

function isAsciiByte(text: string, at: number): boolean {
  return (digitValueAt(HEX, text, at) & 0b1000) === 0;
}

function digitValueAt(values: Int8Array, text: string, at: number): number {
  return values[text.charCodeAt(at)] ?? -1;
}

function digitValues(digits: string, others: string, firstOther: number): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  for (const [more, digit] of [...others].entries()) values[digit.charCodeAt(0)] = firstOther + more;
  return values;
}
