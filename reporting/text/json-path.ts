/** The jq path of a member of an object or array, such as `.items`, `["a b"]` or `[3]`. */
export function memberPath(holder: object, name: string): string {
  if (Array.isArray(holder)) return `[${name}]`;
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `.[${JSON.stringify(name)}]`;
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Malformed JSON is part of many experiments.
    return undefined;
  }
}
