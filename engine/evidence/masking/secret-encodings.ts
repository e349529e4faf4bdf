/** A shorter part of an encoded secret could be an ordinary word. */
const MIN_PIECE_LENGTH = 8;

/** A secret and its encodings as a whole. EscapeReader handles escapes of single characters. */
export function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  return [
    value,
    // The bytes of its UTF-8, read as Latin-1 characters.
    bytes.toString('latin1'),
    value.replaceAll(' ', '+'),
    hex,
    hex.toUpperCase(),
    ...base64Encodings(bytes),
  ];
}

/**
 * The Base64 of the secret, whole and as a part of a longer text. A part depends on where the secret begins in a group
 * of three bytes. The characters at its ends are omitted, because they also depend on the neighbouring bytes.
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
