/** A value that is one reference, and nothing else. */
const SINGLE_REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/**
 * The variables of a target file that contain a key, a secret or a header alone, by the name under which reports mask the value:
 * `{ 'seller.key': 'SELLER_KEY', 'headers.X-Gateway-Token': 'GATEWAY_TOKEN' }`. `content` is the file as written, with its references.
 */
export function secretVariables(content: unknown): Record<string, string> {
  const { actors, headers } = Object.fromEntries(entriesOf(content));
  return Object.fromEntries([
    ...entriesOf(actors).flatMap(([actor, credentials]) => references(actor, credentials, ['key', 'secret'])),
    ...references('headers', headers),
  ]);
}

function references(section: string, fields: unknown, names?: readonly string[]): [string, string][] {
  return entriesOf(fields).flatMap(([name, value]): [string, string][] => {
    const variable = typeof value === 'string' ? SINGLE_REFERENCE.exec(value)?.[1] : undefined;
    return variable === undefined || names?.includes(name) === false ? [] : [[`${section}.${name}`, variable]];
  });
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
