/** Fewer characters than that of an encoded secret could be a word of something else. */
const MIN_PIECE_LENGTH = 8;

/** A secret and the texts that it becomes when it is encoded as a whole. Escapes of single characters are read where they stand. */
export function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  return [
    value,
    // The bytes of its UTF-8, taken for characters.
    bytes.toString('latin1'),
    value.replaceAll(' ', '+'),
    hex,
    hex.toUpperCase(),
    ...base64Encodings(bytes),
  ];
}

/**
 * Whole, and as the part of a longer text: where it begins in a group of three bytes decides what it looks like there, and
 * the characters at its ends, which it shares with what stands beside it, are left out.
 */
function base64Encodings(bytes: Buffer): string[] {
  const whole = bytes.toString('base64');
  const parts = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const shared = (bytes.length + before) % 3 === 0 ? 0 : 1;
    return text.slice(before === 0 ? 0 : before + 1, text.length - shared);
  });
  const all = [whole, whole.replace(/=+$/, ''), ...parts.filter((part) => part.length >= MIN_PIECE_LENGTH)];
  return all.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
