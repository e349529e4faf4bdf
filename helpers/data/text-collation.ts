const byCodePoint = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const UUID_PATTERN = /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})$/i;
const reversedBytes = (hex: string) => (hex.match(/../g) ?? []).reverse().join('');

/** The text by whose code points SQL Server orders a value of the type `uniqueidentifier`. */
function uniqueidentifierKey(uuid: string): string {
  const [, low = '', mid = '', high = '', clock = '', node = ''] = UUID_PATTERN.exec(uuid.toLowerCase()) ?? [];
  return node + clock + [high, mid, low].map(reversedBytes).join('');
}

/**
 * The orders that a database or a language may use for texts: by code point, by letter, by the numbers in them, by
 * length, and as the data type of a UUID.
 */
const COLLATIONS: readonly ((one: string, other: string) => number)[] = [
  byCodePoint,
  new Intl.Collator('en').compare,
  new Intl.Collator('en', { numeric: true }).compare,
  new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true }).compare,
  new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true, numeric: true }).compare,
  (one, other) => one.length - other.length || byCodePoint(one, other),
];

const byUniqueidentifier = (one: string, other: string) =>
  byCodePoint(uniqueidentifierKey(one), uniqueidentifierKey(other));

/** Whether texts are in ascending or descending order under any collation. */
export function isOrderedAsText(texts: readonly string[], direction: 'asc' | 'desc'): boolean {
  return firstOutOfOrder(texts, direction) === null;
}

/**
 * The place of the first text that is out of order with the next one, under the collation that holds for most texts before it; null if
 * a collation holds for all.
 */
export function firstOutOfOrder(texts: readonly string[], direction: 'asc' | 'desc'): number | null {
  const sign = direction === 'asc' ? 1 : -1;
  const neighbours = texts.slice(1).map((text, at) => [texts[at] as string, text] as const);
  const orders = texts.every((text) => UUID_PATTERN.test(text)) ? [...COLLATIONS, byUniqueidentifier] : COLLATIONS;
  const places = orders.map((order) => neighbours.findIndex(([here, there]) => order(here, there) * sign > 0));
  return places.includes(-1) ? null : Math.max(...places);
}
