import { isObject, type JsonObject } from '../../../engine/records/invoice-records.ts';

/** A chain of references may be a circle. */
const MAX_HOPS = 20;

/** Resolves the `$ref` of a document that begin with `#/`. Records the others, which it does not follow. */
export class LocalReferences {
  /** The references to other documents that were met. */
  readonly foreign = new Set<string>();
  private readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** The object that a value is or refers to; undefined if there is none. */
  resolve(value: unknown): JsonObject | undefined {
    let current = value;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      if (!isObject(current)) return undefined;
      if (typeof current.$ref !== 'string') return current;
      current = this.lookUp(current.$ref);
    }
    return undefined;
  }

  private lookUp(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/')) {
      this.foreign.add(reference);
      return undefined;
    }
    return reference
      .split('/')
      .slice(1)
      .map(decodePointer)
      .reduce<unknown>(
        (value, name) =>
          value !== null && typeof value === 'object' && Object.hasOwn(value, name)
            ? (value as JsonObject)[name]
            : undefined,
        this.root,
      );
  }
}

/** A name in a JSON pointer (RFC 6901) inside of a URI fragment. */
function decodePointer(name: string): string {
  const plain = /%(?![0-9A-Fa-f]{2})/.test(name) ? name : safeDecode(name);
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Percent signs may encode bytes that are not UTF-8; such a name is taken as it is. */
function safeDecode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
