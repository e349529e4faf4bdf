import { createHash } from 'node:crypto';
import { unzipSync, zipSync } from 'fflate';
import { linksIn } from './zip-links.ts';

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

/** Throws a PackageError if the archive is damaged, too large, has two files of one name, or a link in place of a file. */
export function unpackFiles(archive: Uint8Array): PackageContent {
  const names = new Set<string>();
  let bytes = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        // The library keeps the files in an object.
        if (name in {}) throw new PackageError(`contains a file with the name ${name}`);
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
  if (!endsWithDirectory(archive)) throw new PackageError('has bytes after its end');
  // The library shows a link as a file with its target as the content. Every other program would follow it.
  const [link] = linksIn(archive);
  if (link !== undefined) throw new PackageError(`contains ${link} as a symbolic link`);
  return new Map(Object.entries(files));
}

const END_RECORD = Buffer.from('PK\u0005\u0006', 'latin1');
const END_RECORD_BYTES = 22;

/** Whether the last bytes are the end record of a ZIP file without a comment. */
function endsWithDirectory(archive: Uint8Array): boolean {
  return Buffer.from(archive.subarray(-END_RECORD_BYTES)).indexOf(END_RECORD) === 0;
}

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
