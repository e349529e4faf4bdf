const END_RECORD_BYTES = 22;
const DIRECTORY_OFFSET_FIELD = 16;
/** `PK\1\2`, the beginning of an entry of the directory. */
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const FIELD = { name: 28, extra: 30, comment: 32, mode: 40 };
/** The kind of a file, in the mode that Unix programs add to an entry. */
const KIND_MASK = 0xf000;
const SYMBOLIC_LINK = 0xa000;

/** The names of the entries that a program would unpack as a symbolic link. `archive` ends with the end record of its directory. */
export function linksIn(archive: Uint8Array): string[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = bytes.length - END_RECORD_BYTES;
  const links: string[] = [];
  let at = bytes.readUInt32LE(end + DIRECTORY_OFFSET_FIELD);
  while (at + ENTRY_BYTES <= end && bytes.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const [nameLength, extraLength, commentLength] = [FIELD.name, FIELD.extra, FIELD.comment].map((field) =>
      bytes.readUInt16LE(at + field),
    ) as [number, number, number];
    const nameAt = at + ENTRY_BYTES;
    if ((bytes.readUInt16LE(at + FIELD.mode) & KIND_MASK) === SYMBOLIC_LINK)
      links.push(bytes.toString('utf8', nameAt, nameAt + nameLength));
    at = nameAt + nameLength + extraLength + commentLength;
  }
  return links;
}
