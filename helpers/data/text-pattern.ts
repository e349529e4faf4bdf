const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The common pattern of texts that a server generates, such as `INV-9-9` or `inv_ and a UUID`. */
export function textPattern(texts: readonly string[]): string {
  if (texts.every((text) => UUID.test(text)))
    return withPrefix(
      texts.map((text) => text.replace(UUID, '')),
      'a UUID',
    );
  const prefix = sharedPrefix(texts);
  const rests = texts.map((text) => text.slice(prefix.length));
  if (rests.every((rest) => /^\d+$/.test(rest))) return `${maskDigits(prefix)}9`;
  return withPrefix([prefix], 'other text');
}

const maskDigits = (text: string) => text.replaceAll(/\d+/g, '9');

function withPrefix(prefixes: readonly string[], kind: string): string {
  const [prefix] = new Set(prefixes.map(maskDigits));
  return prefix === '' ? kind : `${prefix} and ${kind}`;
}

/** The common prefix up to its last character that is neither letter nor digit; the rest may be the same by chance. */
function sharedPrefix([first = '', ...others]: readonly string[]): string {
  let length = others.length === 0 ? 0 : first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  return /^.*[^a-z0-9]/i.exec(first.slice(0, length))?.[0] ?? '';
}
