import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { endsWithDirectory, readDirectory } from './zip-directory.ts';
import { layoutProblem } from './zip-layout.ts';

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

/** Throws a PackageError if the archive is damaged, too large, has two files of one name, a link, or more than one reading. */
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
  assertSoundLayout(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength), files);
  return new Map(Object.entries(files));
}

/** Throws a PackageError if another program could unpack other files from the archive. */
function assertSoundLayout(bytes: Buffer, files: Readonly<Record<string, Uint8Array>>): void {
  if (!endsWithDirectory(bytes)) throw new PackageError('has bytes after its end');
  const directory = readDirectory(bytes);
  if (directory === null)
    throw new PackageError('has a second directory, or bytes in its directory that belong to none');
  // The library shows a link as a file with its target as the content. Every other program would follow it.
  const link = directory.entries.find(({ isLink }) => isLink);
  if (link !== undefined) throw new PackageError(`contains ${link.name} as a symbolic link`);
  const problem = layoutProblem(bytes, directory);
  if (problem !== null) throw new PackageError(problem);
  for (const { name, size, checksum } of directory.entries) {
    const file = files[name];
    if (file === undefined || file.length !== size || crc32(file) !== checksum)
      throw new PackageError(`contains ${name} with another size or checksum than it lists`);
  }
}

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
