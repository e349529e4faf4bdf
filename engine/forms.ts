/** Fewer characters than that of an encoded secret could be a word of something else. */
const SHORTEST_PIECE = 8;

/** The forms in which servers, proxies and logs show a value that they were told. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value);
  const hex = bytes.toString('hex');
  return [
    value,
    url,
    url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    // encodeURIComponent leaves these as they are, others do not.
    url.replaceAll(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
    new URLSearchParams({ '': value }).toString().slice(1),
    json,
    json.replaceAll('/', '\\/'),
    // As some serializers write it, for pages that hold JSON.
    json.replaceAll(/[<>&'+/]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`),
    json.replaceAll(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`),
    JSON.stringify(json).slice(1, -1),
    inHtml(value, '&#39;'),
    inHtml(value, '&apos;'),
    inHtml(value, '&#x27;'),
    hex,
    hex.toUpperCase(),
    ...inBase64(bytes),
  ];
}

function inHtml(value: string, apostrophe: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);
}

/**
 * Whole, and as the part of a longer text: where it begins in a group of three bytes decides what it looks like there, and
 * the characters at its ends, which it shares with what stands beside it, are left out.
 */
function inBase64(bytes: Buffer): string[] {
  const whole = bytes.toString('base64');
  const parts = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const shared = (bytes.length + before) % 3 === 0 ? 0 : 1;
    return text.slice(before === 0 ? 0 : before + 1, text.length - shared);
  });
  const all = [whole, whole.replace(/=+$/, ''), ...parts.filter((part) => part.length >= SHORTEST_PIECE)];
  return all.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_'), text.replaceAll('/', '\\/')]);
}
