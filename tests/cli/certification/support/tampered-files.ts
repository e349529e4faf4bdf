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
  damaged('two files of one name', /^the package contains README\.txt twice$/, ({ content }) => packedTwice(content)),
  damaged('a symbolic link', /^the package contains README\.txt as a symbolic link$/, ({ content }) =>
    packedAsLink(content),
  ),
  repacked(
    'an extra folder',
    /^the files of the package are in the folder acme-4\.2\/ of the ZIP file: /,
    ({ content }) => inFolder(content),
  ),
  damaged('no ZIP file', /^the package is not a ZIP file, or is damaged$/, () => Buffer.from('certified')),
  damaged('an empty file', /^the package is not a ZIP file, or is damaged$/, () => Buffer.of()),
  damaged('a truncated ZIP file', /^the package is not a ZIP file, or is damaged$/, ({ content }) => {
    const archive = packFiles(content);
    return archive.subarray(0, Math.floor(archive.length / 2));
  }),
];
