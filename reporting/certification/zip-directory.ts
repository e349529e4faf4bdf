const END_RECORD_BYTES = 22;
const END_SIGNATURE = 0x06054b50;
const END_FIELD = { disk: 4, directoryDisk: 6, entriesHere: 8, entries: 10, size: 12, offset: 16, comment: 20 };
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const ENTRY_FIELD = {
  flags: 8,
  method: 10,
  checksum: 16,
  packedSize: 20,
  size: 24,
  name: 28,
  extra: 30,
  comment: 32,
  mode: 40,
  offset: 42,
};
/** The kind of a file, in the mode that Unix programs add to an entry. */
const KIND_MASK = 0xf000;
const SYMBOLIC_LINK = 0xa000;

/** A file as the directory at the end of the archive describes it. */
export interface DirectoryEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
  readonly isLink: boolean;
}

export interface Directory {
  /** Where the directory begins, behind the last file. */
  readonly offset: number;
  readonly entries: readonly DirectoryEntry[];
}

/** Whether the last bytes are the end record of a ZIP file without a comment. */
export function endsWithDirectory(bytes: Buffer): boolean {
  const end = bytes.length - END_RECORD_BYTES;
  return end >= 0 && bytes.readUInt32LE(end) === END_SIGNATURE && bytes.readUInt16LE(end + END_FIELD.comment) === 0;
}

/** The directory of an archive that ends with its end record. Null unless it fills the bytes before that record. */
export function readDirectory(bytes: Buffer): Directory | null {
  const end = bytes.length - END_RECORD_BYTES;
  const [disk, directoryDisk, here, count] = [
    END_FIELD.disk,
    END_FIELD.directoryDisk,
    END_FIELD.entriesHere,
    END_FIELD.entries,
  ].map((field) => bytes.readUInt16LE(end + field));
  const offset = bytes.readUInt32LE(end + END_FIELD.offset);
  const isWhole = disk === 0 && directoryDisk === 0 && here === count;
  if (!isWhole || offset + bytes.readUInt32LE(end + END_FIELD.size) !== end) return null;
  const entries: DirectoryEntry[] = [];
  let at = offset;
  while (at + ENTRY_BYTES <= end && bytes.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameAt = at + ENTRY_BYTES;
    const nameEnd = nameAt + bytes.readUInt16LE(at + ENTRY_FIELD.name);
    entries.push({
      name: bytes.toString('utf8', nameAt, nameEnd),
      flags: bytes.readUInt16LE(at + ENTRY_FIELD.flags),
      method: bytes.readUInt16LE(at + ENTRY_FIELD.method),
      checksum: bytes.readUInt32LE(at + ENTRY_FIELD.checksum),
      packedSize: bytes.readUInt32LE(at + ENTRY_FIELD.packedSize),
      size: bytes.readUInt32LE(at + ENTRY_FIELD.size),
      offset: bytes.readUInt32LE(at + ENTRY_FIELD.offset),
      // A program would unpack it as a link.
      isLink: (bytes.readUInt16LE(at + ENTRY_FIELD.mode) & KIND_MASK) === SYMBOLIC_LINK,
    });
    at = nameEnd + bytes.readUInt16LE(at + ENTRY_FIELD.extra) + bytes.readUInt16LE(at + ENTRY_FIELD.comment);
  }
  return at === end && entries.length === count ? { offset, entries } : null;
}
