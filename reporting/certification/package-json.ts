import type { PackageContent } from './archive.ts';

/** The parsed content of a file; undefined if it is missing or not JSON. */
export function jsonIn(content: PackageContent, path: string): unknown {
  const bytes = content.get(path);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // The schema rejects it.
    return undefined;
  }
}

/** The content of a JSON file of a package. */
export function toJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
