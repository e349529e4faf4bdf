import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Manifest, manifest as manifestSchema, PACKAGE_FILES } from '../../specs/certification/package.ts';
import {
  certificateStatement,
  envelope as envelopeSchema,
  runStatement,
  testResultStatement,
} from '../../specs/certification/statements.ts';
import type { Blocker, Verification } from '../../specs/certification/verification.ts';
import type { Report } from '../../specs/formats/report.ts';
import { joinNames } from '../text/wording.ts';
import { digestOf, type PackageContent } from './archive.ts';
import { payloadOf, signersOf } from './envelope.ts';
import { jsonIn } from './package-json.ts';
import { runStatementOf, type Subjects, testResultOf } from './statements.ts';

const SEAL_AGAIN = 'ask for the package as it was sealed, or seal the run again';
/** Added by the desk, and covered by its own signature. */
const DESK_FILES: ReadonlySet<string> = new Set([PACKAGE_FILES.certificate, PACKAGE_FILES.certificatePage]);
const UNLISTED_FILES: ReadonlySet<string> = new Set([
  PACKAGE_FILES.manifest,
  PACKAGE_FILES.testResult,
  PACKAGE_FILES.run,
  ...DESK_FILES,
]);

/** A blocker about the files of a package. */
export function broken(problem: string, remedy = SEAL_AGAIN): Blocker {
  return { kind: 'integrity', problem, remedy };
}

/** The manifest of a package; null if it is missing or not readable. */
export function readManifest(content: PackageContent): Manifest | null {
  const { success, data } = manifestSchema.safeParse(jsonIn(content, PACKAGE_FILES.manifest));
  return success ? data : null;
}

/** Files that are missing, changed, or not named in the manifest. */
export function fileProblems(content: PackageContent, manifest: Manifest | null): Blocker[] {
  if (manifest === null) return [nestedFolder(content) ?? broken(`${PACKAGE_FILES.manifest} is missing or damaged`)];
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const required = Object.values(PACKAGE_FILES).filter((path) => !DESK_FILES.has(path));
  const missing = required.filter((path) => !content.has(path));
  const unlisted = required.filter((path) => !UNLISTED_FILES.has(path) && !listed.has(path));
  const changed = [...listed].filter(([path, { sha256, bytes: size }]) => {
    const bytes = content.get(path);
    return bytes !== undefined && (digestOf(bytes) !== sha256 || bytes.length !== size);
  });
  const doubled = manifest.files.length > listed.size;
  const absent = [...listed.keys()].filter((path) => !content.has(path) && !required.some((each) => each === path));
  const foreign = [...content.keys()].filter((path) => !listed.has(path) && !UNLISTED_FILES.has(path));
  return [
    ...[...missing, ...absent].map((path) => broken(`${path} is missing`)),
    ...(doubled ? [broken(`${PACKAGE_FILES.manifest} names a file twice`)] : []),
    ...unlisted.map((path) => broken(`${PACKAGE_FILES.manifest} does not name ${path}`)),
    ...changed.map(([path]) => broken(`${path} is not the file that was sealed: its digest differs from the manifest`)),
    ...foreign.filter((path) => !SYSTEM_FILE.test(path)).map((path) => broken(`${path} is not part of the manifest`)),
    ...systemFileProblems(foreign.filter((path) => SYSTEM_FILE.test(path))),
  ];
}

/** Files that macOS and Windows add to folders and ZIP files. */
const SYSTEM_FILE = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

function systemFileProblems(paths: readonly string[]): Blocker[] {
  const files = paths.filter((path) => !path.endsWith('/'));
  if (paths.length === 0) return [];
  return [
    broken(
      `the package contains ${joinNames(files.length > 0 ? files : paths)}, which an operating system adds: it was unpacked and zipped again`,
      'ask for the file that was sealed, or remove what the operating system added',
    ),
  ];
}

/** The problem of an unpacked package that somebody zipped again with its folder; null if there is no such folder. */
function nestedFolder(content: PackageContent): Blocker | null {
  const nested = [...content.keys()].find((path) => path.endsWith(`/${PACKAGE_FILES.manifest}`));
  if (nested === undefined || content.has(PACKAGE_FILES.manifest)) return null;
  const folder = nested.slice(0, -PACKAGE_FILES.manifest.length);
  return broken(
    `the files of the package are in the folder ${folder} of the ZIP file: it was unpacked and zipped again`,
    'ask for the file that was sealed, or zip the files without the folder around them',
  );
}

/** The statements of a package, compared with the report of its evidence, and the keys that have signed all of them. */
export function readStatements(
  content: PackageContent,
  { manifest, report, keys }: { manifest: Manifest; report: Report | null; keys: readonly KeyObject[] },
): { problems: Blocker[]; signers: string[]; isSigned: boolean } {
  const manifestBytes = content.get(PACKAGE_FILES.manifest) ?? new Uint8Array();
  const subjects: Subjects = [
    ...manifest.files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    { name: PACKAGE_FILES.manifest, digest: { sha256: digestOf(manifestBytes) } },
  ];
  const configuration = subjects.filter(({ name }) => name === PACKAGE_FILES.target);
  const expected = [
    {
      path: PACKAGE_FILES.testResult,
      schema: testResultStatement,
      of: report && testResultOf(report, subjects, configuration),
    },
    { path: PACKAGE_FILES.run, schema: runStatement, of: report && runStatementOf(report, subjects) },
  ];
  const read = expected.map(({ path, schema, of }) => {
    const parsed = envelopeSchema.safeParse(jsonIn(content, path));
    if (!parsed.success)
      return {
        problems: [broken(`${path} is not a DSSE envelope with an in-toto statement`)],
        signers: [],
        isSigned: false,
      };
    const statement = schema.safeParse(parsePayload(parsed.data));
    const signers = signersOf(parsed.data, keys);
    const isSigned = parsed.data.signatures.length > 0;
    if (!statement.success)
      return { problems: [broken(`${path} contains no statement of this kit`)], signers, isSigned };
    const { data } = statement;
    const isOfPackage = isDeepStrictEqual(data.subject, subjects);
    const isOfRun = of === null || isDeepStrictEqual(data.predicate, withoutUndefined(of.predicate));
    return {
      problems: [
        ...(isOfPackage ? [] : [broken(`${path} is a statement about other files`)]),
        ...(isOfRun ? [] : [broken(`${path} does not say what the evidence says`)]),
      ],
      signers,
      isSigned,
    };
  });
  const [first, ...others] = read.map(({ signers }) => signers);
  return {
    problems: read.flatMap(({ problems }) => problems),
    signers: (first ?? []).filter((id) => others.every((signers) => signers.includes(id))),
    isSigned: read.some(({ isSigned }) => isSigned),
  };
}

/** The certificate of a package, and what is wrong with it; null for a package without one. */
export function readCertificate(
  content: PackageContent,
  keys: readonly KeyObject[],
): { problems: Blocker[]; certificate: Verification['certificate'] } {
  const hasAny = [...DESK_FILES].some((path) => content.has(path));
  if (!hasAny) return { problems: [], certificate: null };
  const remedy = 'ask the desk for the certified package again';
  const parsed = envelopeSchema.safeParse(jsonIn(content, PACKAGE_FILES.certificate));
  const statement = parsed.success ? certificateStatement.safeParse(parsePayload(parsed.data)) : null;
  if (!parsed.success || !statement?.success)
    return {
      problems: [broken(`${PACKAGE_FILES.certificate} is no certificate of this kit`, remedy)],
      certificate: null,
    };
  const { subject, predicate } = statement.data;
  const about = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  const changed = [PACKAGE_FILES.manifest, PACKAGE_FILES.certificatePage].filter(
    (path) => about.get(path) !== digestOf(content.get(path) ?? new Uint8Array()),
  );
  return {
    problems: changed.map((path) => broken(`${PACKAGE_FILES.certificate} certifies another ${path}`, remedy)),
    certificate: { ...predicate, signers: signersOf(parsed.data, keys) },
  };
}

function parsePayload(envelope: Parameters<typeof payloadOf>[0]): unknown {
  try {
    return payloadOf(envelope);
  } catch {
    // The schema rejects it.
    return undefined;
  }
}

/** A member without a value is not part of JSON. */
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
