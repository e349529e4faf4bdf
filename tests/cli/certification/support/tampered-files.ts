import { type PackageContent, packFiles } from '../../../../reporting/certification/archive.ts';
import { PACKAGE_FILES } from '../../../../specs/certification/package.ts';
import { damaged, repacked, type Tampering } from './tampering.ts';

const { evidence, report, page, target, readMe, manifest, testResult, run } = PACKAGE_FILES;
const LISTED = [evidence, report, page, target, readMe];
const STATEMENTS = [testResult, run];

function withFile(content: PackageContent, path: string, bytes: Uint8Array): PackageContent {
  return new Map([...content, [path, bytes]]);
}

function without(content: PackageContent, path: string): PackageContent {
  return new Map([...content].filter(([name]) => name !== path));
}

/** Changes one bit in the middle. */
function flipped(content: PackageContent, path: string): PackageContent {
  const bytes = Buffer.from(content.get(path) ?? []);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return withFile(content, path, bytes);
}

function flip(path: string, problem: RegExp): Tampering {
  return repacked(`a changed byte in ${path}`, problem, ({ content }) => flipped(content, path));
}

function remove(path: string): Tampering {
  return repacked(`without ${path}`, new RegExp(`^${path} is missing`), ({ content }) => without(content, path));
}

/** Two entries of one name: one is packed under a name of the same length. */
function packedTwice(content: PackageContent): Uint8Array {
  const other = 'READMF.txt';
  const bytes = Buffer.from(packFiles(withFile(content, other, Buffer.from('another text'))));
  for (let at = bytes.indexOf(other); at >= 0; at = bytes.indexOf(other)) bytes.write(readMe, at, 'latin1');
  return bytes;
}

/** Marks README.txt in the directory of the archive as a symbolic link, as Unix programs do. */
function packedAsLink(content: PackageContent): Uint8Array {
  const bytes = Buffer.from(packFiles(content));
  const nameAt = bytes.lastIndexOf(readMe);
  bytes.writeUInt16LE(0o120777, nameAt - 6);
  return bytes;
}

/** Zipped again by somebody who selected the folder, not the files in it. */
function inFolder(content: PackageContent): PackageContent {
  return new Map([...content].map(([path, bytes]) => [`acme-4.2/${path}`, bytes]));
}

export const tamperedFiles: readonly Tampering[] = [
  ...LISTED.map((path) => flip(path, new RegExp(`^${path} is not the file that was sealed`))),
  flip(manifest, /^manifest\.json is missing or damaged|is a statement about other files/),
  ...STATEMENTS.map((path) => flip(path, new RegExp(`^${path} |^no accepted key has signed the package$`))),
  ...[...LISTED, manifest, ...STATEMENTS].map(remove),
  repacked('a foreign file', /^notes\.txt is not part of the manifest$/, ({ content }) =>
    withFile(content, 'notes.txt', Buffer.from('accepted by the desk')),
  ),
  repacked(
    'files of an operating system',
    /^the package contains \.DS_Store and __MACOSX\/\._report\.json, which an operating system adds: /,
    ({ content }) =>
      ['.DS_Store', '__MACOSX/._report.json', '__MACOSX/'].reduce(
        (all, path) => withFile(all, path, Buffer.of()),
        content,
      ),
  ),
  repacked(
    'an extra folder',
    /^the files of the package are in the folder acme-4\.2\/ of the ZIP file: /,
    ({ content }) => inFolder(content),
  ),
];

/** Adds bytes at a place, and moves what the directory and the end record say by their number. */
function inserted(archive: Uint8Array, at: number, added: Uint8Array): Buffer {
  const bytes = Buffer.from(archive);
  const end = bytes.length - 22;
  const directoryAt = bytes.readUInt32LE(end + 16);
  for (let entry = directoryAt; entry < end; entry = nextEntry(bytes, entry)) {
    const fileAt = bytes.readUInt32LE(entry + 42);
    if (fileAt >= at) bytes.writeUInt32LE(fileAt + added.length, entry + 42);
  }
  if (at <= directoryAt) bytes.writeUInt32LE(directoryAt + added.length, end + 16);
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
}

function nextEntry(bytes: Buffer, at: number): number {
  return at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
}

/** Edits the last entry of the directory and, with `fileAt`, the header of its file. */
function edited(content: PackageContent, edit: (bytes: Buffer, entryAt: number, fileAt: number) => void): Buffer {
  const bytes = Buffer.from(packFiles(content));
  const end = bytes.length - 22;
  let entry = bytes.readUInt32LE(end + 16);
  while (nextEntry(bytes, entry) < end) entry = nextEntry(bytes, entry);
  edit(bytes, entry, bytes.readUInt32LE(entry + 42));
  return bytes;
}

/** Without the last entry of the directory. */
function unlisted(content: PackageContent): Buffer {
  let length = 0;
  const bytes = edited(content, (all, entryAt) => {
    const end = all.length - 22;
    length = end - entryAt;
    all.writeUInt16LE(all.readUInt16LE(end + 8) - 1, end + 8);
    all.writeUInt16LE(all.readUInt16LE(end + 10) - 1, end + 10);
    all.writeUInt32LE(all.readUInt32LE(end + 12) - length, end + 12);
  });
  return Buffer.concat([bytes.subarray(0, bytes.length - 22 - length), bytes.subarray(-22)]);
}

const END_RECORD = Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]);

/** Archives that two programs could read in different ways, or not at all. */
export const damagedFiles: readonly Tampering[] = [
  damaged('two files of one name', /acme\.zip contains README\.txt twice; ask/, ({ content }) => packedTwice(content)),
  damaged('a symbolic link', /acme\.zip contains README\.txt as a symbolic link; ask/, ({ content }) =>
    packedAsLink(content),
  ),
  damaged('no ZIP file', /acme\.zip is not a ZIP file, or is damaged; ask/, () => Buffer.from('certified')),
  damaged('an empty file', /acme\.zip is not a ZIP file, or is damaged; ask/, () => Buffer.of()),
  damaged('a truncated ZIP file', /acme\.zip is not a ZIP file, or is damaged; ask/, ({ content }) => {
    const archive = packFiles(content);
    return archive.subarray(0, Math.floor(archive.length / 2));
  }),
  damaged('bytes after the end', /has bytes after its end/, ({ content }) =>
    Buffer.concat([packFiles(content), Buffer.from('more')]),
  ),
  damaged('bytes before the first file', /has bytes that belong to no file/, ({ content }) =>
    inserted(packFiles(content), 0, Buffer.from('#!/bin/sh\n')),
  ),
  damaged('a second end record', /has a second directory/, ({ content }) => {
    const archive = packFiles(content);
    return Buffer.concat([archive, END_RECORD]);
  }),
  damaged('a whole archive behind another', /has bytes|has a second directory/, ({ content }) =>
    Buffer.concat([packFiles(content), packFiles(content)]),
  ),
  damaged('an end record between files and directory', /has a second directory/, ({ content }) => {
    const archive = Buffer.from(packFiles(content));
    return inserted(archive, archive.readUInt32LE(archive.length - 6), END_RECORD);
  }),
  damaged('another name in the header of a file', /lists (\S+), but contains \S+ in its place/, ({ content }) =>
    edited(content, (bytes, _, fileAt) => bytes.write('X', fileAt + 30)),
  ),
  damaged('another size in the header of a file', /with another size, checksum or method than its own/, ({ content }) =>
    edited(content, (bytes, _, fileAt) => bytes.writeUInt32LE(7, fileAt + 22)),
  ),
  damaged('a wrong checksum', /with another size or checksum than it lists/, ({ content }) =>
    edited(content, (bytes, entryAt, fileAt) => {
      bytes.writeUInt32LE(7, entryAt + 16);
      bytes.writeUInt32LE(7, fileAt + 14);
    }),
  ),
  damaged('a file that the directory does not list', /contains \S+, but does not list it/, ({ content }) =>
    unlisted(content),
  ),
  damaged(
    'an entry without a file',
    /lists \S+, but does not contain it|contains \S+, but does not list/,
    ({ content }) => edited(content, (bytes, entryAt) => bytes.writeUInt32LE(bytes.length - 40, entryAt + 42)),
  ),
  damaged('two entries for the same bytes', /in the bytes of another file/, ({ content }) =>
    edited(content, (bytes, entryAt) => bytes.writeUInt32LE(0, entryAt + 42)),
  ),
];
