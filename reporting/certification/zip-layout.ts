import type { Directory, DirectoryEntry } from './zip-directory.ts';

const FILE_SIGNATURE = 0x04034b50;
const FILE_BYTES = 30;
const FILE_FIELD = { flags: 6, method: 8, checksum: 14, packedSize: 18, size: 22, name: 26, extra: 28 };
const END_SIGNATURE = 'PK\u0005\u0006';
/** Set if checksum and sizes follow the file. */
const HAS_DESCRIPTOR = 0x0008;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const DESCRIPTOR_BYTES = 12;

/**
 * Why two programs could unpack different files from the archive: its files and its directory must describe the same, and together fill
 * it. Null if they do.
 */
export function layoutProblem(bytes: Buffer, { offset: end, entries }: Directory): string | null {
  let at = 0;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    if (entry.offset < at) return `contains ${entry.name} in the bytes of another file`;
    if (entry.offset > at) return unlistedProblem(bytes.subarray(at, Math.min(entry.offset, end)));
    const next = fileEnd(bytes, entry, end);
    if (typeof next === 'string') return next;
    at = next;
  }
  return at === end ? null : unlistedProblem(bytes.subarray(at, end));
}

/** The first byte behind a file, or what its header says otherwise than the directory. */
function fileEnd(bytes: Buffer, entry: DirectoryEntry, end: number): number | string {
  const { name, offset } = entry;
  if (offset + FILE_BYTES > end || bytes.readUInt32LE(offset) !== FILE_SIGNATURE)
    return `lists ${name}, but does not contain it`;
  const word = (field: keyof typeof FILE_FIELD) => bytes.readUInt16LE(offset + FILE_FIELD[field]);
  const long = (field: keyof typeof FILE_FIELD) => bytes.readUInt32LE(offset + FILE_FIELD[field]);
  const nameEnd = offset + FILE_BYTES + word('name');
  const ownName = bytes.toString('utf8', offset + FILE_BYTES, nameEnd);
  if (ownName !== name) return `lists ${name}, but contains ${ownName} in its place`;
  const hasDescriptor = (entry.flags & HAS_DESCRIPTOR) !== 0;
  const own = [word('flags'), word('method'), long('checksum'), long('packedSize'), long('size')];
  const { flags, method, checksum, packedSize, size } = entry;
  const listed = [flags, method, ...(hasDescriptor ? [0, 0, 0] : [checksum, packedSize, size])];
  const dataEnd = nameEnd + word('extra') + packedSize;
  if (own.some((value, field) => value !== listed[field]) || dataEnd > end)
    return `lists ${name} with another size, checksum or method than its own header says`;
  return hasDescriptor ? descriptorEnd(bytes, entry, dataEnd, end) : dataEnd;
}

/** The first byte behind the checksum and the sizes that follow a file. Their signature is optional. */
function descriptorEnd(bytes: Buffer, entry: DirectoryEntry, dataEnd: number, end: number): number | string {
  const isSigned = dataEnd + 4 <= end && bytes.readUInt32LE(dataEnd) === DESCRIPTOR_SIGNATURE;
  const at = isSigned ? dataEnd + 4 : dataEnd;
  const isEqual =
    at + DESCRIPTOR_BYTES <= end &&
    [entry.checksum, entry.packedSize, entry.size].every(
      (value, field) => bytes.readUInt32LE(at + 4 * field) === value,
    );
  return isEqual ? at + DESCRIPTOR_BYTES : `lists ${entry.name} with another size or checksum than follows the file`;
}

/** Bytes that the directory knows nothing of. */
function unlistedProblem(bytes: Buffer): string {
  if (bytes.length >= FILE_BYTES && bytes.readUInt32LE(0) === FILE_SIGNATURE) {
    const name = bytes.toString('utf8', FILE_BYTES, FILE_BYTES + bytes.readUInt16LE(FILE_FIELD.name));
    return `contains ${name}, but does not list it`;
  }
  return bytes.includes(END_SIGNATURE, 0, 'latin1') ? 'has a second directory' : 'has bytes that belong to no file';
}
