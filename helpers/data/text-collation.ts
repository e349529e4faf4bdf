/**
 * The orders that a database or a language may use for texts: by code point, by letter, by the numbers in them, by
 * length.
 */
const COLLATIONS: readonly ((one: string, other: string) => number)[] = [
  (one, other) => (one < other ? -1 : one > other ? 1 : 0),
  new Intl.Collator('en').compare,
  new Intl.Collator('en', { numeric: true }).compare,
  new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true }).compare,
  new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true, numeric: true }).compare,
  (one, other) => one.length - other.length || (one < other ? -1 : one > other ? 1 : 0),
];

/** Whether texts are in ascending or descending order under any collation. */
export function isOrderedAsText(texts: readonly string[], direction: 'asc' | 'desc'): boolean {
  const sign = direction === 'asc' ? 1 : -1;
  const neighbours = texts.slice(1).map((text, at) => [texts[at] as string, text] as const);
  return COLLATIONS.some((order) => neighbours.every(([here, there]) => order(here, there) * sign <= 0));
}
