import type { JsonObject } from './invoice-records.ts';

/** In characters: some ten times what the lists of a whole run have. */
const MAX_READ_CHARACTERS = 64 * 1024 * 1024;

/**
 * Lists show mostly what lists before them have shown. An item that says the same as before is the same object, so that what was
 * found out of it need not be found out again.
 */
export class RecordInterning {
  private readonly latest = new Map<unknown, JsonObject>();
  private readCharacters = 0;

  /** Notes a list of so many characters. Whatever a server sends, no more is held than so much of what came last. */
  beginList(length: number): void {
    this.readCharacters += length;
    if (this.readCharacters <= MAX_READ_CHARACTERS) return;
    this.latest.clear();
    this.readCharacters = length;
  }

  /** The object that this item was the last time, or itself where it says anything else now. */
  intern(item: JsonObject): JsonObject {
    const before = this.latest.get(item.id);
    if (before && isShallowEqual(before, item)) return before;
    this.latest.set(item.id, item);
    return item;
  }
}

/** What has members of its own may be changed by whoever holds it, and is always another one. */
function isShallowEqual(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
