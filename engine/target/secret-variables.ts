/** A value that is one reference, and nothing else. */
const SINGLE_REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/**
 * The variables of a target file that contain a key, a secret or a header alone, by the name under which reports mask the value:
 * `{ 'seller.key': 'SELLER_KEY', 'headers.X-Gateway-Token': 'GATEWAY_TOKEN' }`. `content` is the file as written, with its references.
 */
export function secretVariables(content: unknown): Record<string, string> {
  const { actors, headers } = Object.fromEntries(entriesOf(content));
  const credentials = entriesOf(actors).flatMap(([actor, fields]) => references(actor, fields));
  return Object.fromEntries([
    ...credentials.filter(([name]) => /\.(key|secret)$/.test(name)),
    ...references('headers', headers),
  ]);
}

function references(section: string, fields: unknown): [name: string, variable: string][] {
  return entriesOf(fields).flatMap(([name, value]) => {
    const variable = SINGLE_REFERENCE.exec(String(value))?.[1];
    return variable === undefined ? [] : [[`${section}.${name}`, variable] as [string, string]];
  });
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
