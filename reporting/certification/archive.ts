import { createHash } from 'node:crypto';
import { unzipSync, zipSync } from 'fflate';

/** The files of a package by path. */
export type PackageContent = ReadonlyMap<string, Uint8Array>;

/** Far more than a full run leaves. */
const MAX_CONTENT_BYTES = 512 * 1024 * 1024;
/** A ZIP file holds a time for each file. A fixed one makes the same content the same package. */
const ENTRY_TIME = new Date(1980, 0, 1);

/** The package is not readable: it is damaged, or another program wrote it. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

export function packFiles(content: PackageContent): Uint8Array {
  return zipSync(Object.fromEntries(content), { level: 9, mtime: ENTRY_TIME });
}

/** Throws a PackageError if the archive is damaged, too large, or has two files of one name. */
export function unpackFiles(archive: Uint8Array): PackageContent {
  const names = new Set<string>();
  let bytes = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        if (names.has(name)) throw new PackageError(`contains ${name} twice`);
        names.add(name);
        bytes += originalSize;
        if (bytes > MAX_CONTENT_BYTES) throw new PackageError('is larger than any package of this kit');
        return true;
      },
    });
  } catch (error) {
    throw error instanceof PackageError ? error : new PackageError('is not a ZIP file, or is damaged');
  }
  return new Map(Object.entries(files));
}

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
