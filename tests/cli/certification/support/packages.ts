import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { z } from 'zod';
import { describeTarget } from '../../../../cli/certification/target-description.ts';
import { verifyPackage } from '../../../../cli/certification/verify-package.ts';
import { kit } from '../../../../engine/runtime/package-info.ts';
import { digestOf, type PackageContent, packFiles } from '../../../../reporting/certification/archive.ts';
import { sealStatement } from '../../../../reporting/certification/envelope.ts';
import { sealPackage } from '../../../../reporting/certification/seal-package.ts';
import { runStatementOf, type Subjects, testResultOf } from '../../../../reporting/certification/statements.ts';
import { type Manifest, manifest as manifestSchema, PACKAGE_FILES } from '../../../../specs/certification/package.ts';
import { policy as policySchema } from '../../../../specs/certification/policy.ts';
import type { Verification } from '../../../../specs/certification/verification.ts';
import type { JournalRecord } from '../../../../specs/formats/journal.ts';
import type { Report } from '../../../../specs/formats/report.ts';
import { journalText, reportOf } from '../../../reporting/journal/journal-builders.ts';
import type { CertifiedRun } from './certified-run.ts';

export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject };
export type PolicyInput = z.input<typeof policySchema>;

const MINUTE_MS = 60_000;

/** The key that the desk accepts, and one that it does not know. */
export const partner: KeyPair = generateKeyPairSync('ed25519');
export const stranger: KeyPair = generateKeyPairSync('ed25519');

/** A package of a run, and what it was made of. */
export interface SealedRun {
  readonly run: CertifiedRun;
  readonly report: Report;
  readonly content: PackageContent;
  /** A minute after the end of the run. */
  readonly sealedAt: Date;
}

interface SealSettings {
  readonly key?: KeyPair | null;
  readonly sealedAt?: Date;
  /** The text of the evidence, if it is not that of the records. */
  readonly evidence?: string;
}

/** Seals a run with the key of the partner. */
export async function sealRun(run: CertifiedRun, settings: SealSettings = {}): Promise<SealedRun> {
  const { key = partner, evidence = journalText(run.records) } = settings;
  const report = await reportOf(run.records);
  const sealedAt = settings.sealedAt ?? new Date(Date.parse(endOf(run.records)) + MINUTE_MS);
  const target = describeTarget(run.target);
  const content = sealPackage({ report, evidence: Buffer.from(evidence), target, kit, key, sealedAt });
  return { run, report, content, sealedAt };
}

/** The end of a run; its start if the end was cut off. */
function endOf(records: readonly JournalRecord[]): string {
  const footer = records.find((record) => record.kind === 'footer');
  const header = records.find((record) => record.kind === 'header');
  return footer?.finishedAt ?? header?.run.startedAt ?? '';
}

interface Remake {
  readonly files?: Readonly<Record<string, string>>;
  readonly manifest?: Partial<Manifest>;
  /** Of which the statements speak. */
  readonly report?: Report;
}

/** The content with other files, and with manifest, digests and statements made anew by the key of the partner. */
export function remade(
  { content, report: own }: SealedRun,
  { files = {}, report = own, ...changes }: Remake,
): PackageContent {
  const old = manifestSchema.parse(JSON.parse(Buffer.from(content.get(PACKAGE_FILES.manifest) ?? []).toString()));
  const described = old.files.map(({ path }) => {
    const bytes = files[path] === undefined ? (content.get(path) ?? Buffer.of()) : Buffer.from(files[path]);
    return { path, bytes };
  });
  const listed = described.map(({ path, bytes }) => ({ path, sha256: digestOf(bytes), bytes: bytes.length }));
  const made: Manifest = { ...old, files: listed, ...changes.manifest };
  const manifest = toJson(made);
  const subjects: Subjects = [...made.files, { path: PACKAGE_FILES.manifest, sha256: digestOf(manifest) }].map(
    ({ path, sha256 }) => ({ name: path, digest: { sha256 } }),
  );
  const configuration = subjects.filter(({ name }) => name === PACKAGE_FILES.target);
  return new Map([
    ...described.map(({ path, bytes }) => [path, bytes] as const),
    [PACKAGE_FILES.manifest, manifest] as const,
    [PACKAGE_FILES.testResult, toJson(sealStatement(testResultOf(report, subjects, configuration), partner))] as const,
    [PACKAGE_FILES.run, toJson(sealStatement(runStatementOf(report, subjects), partner))] as const,
  ]);
}

export function toJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** What the desk knows when it verifies. */
export interface Desk {
  readonly keys?: readonly KeyObject[];
  readonly policy?: PolicyInput;
  readonly now?: Date;
}

/** The exceptions of a run without allowances. */
export const EXCEPTIONS = ['reset', 'productionWrites', 'rateLimitProbe'];

/** Verifies a package an hour after it was sealed. By default, the desk knows the partner and accepts the exceptions. */
export async function verified(
  packed: PackageContent | Uint8Array,
  { sealedAt }: Pick<SealedRun, 'sealedAt'>,
  { keys = [partner.publicKey], policy = {}, now }: Desk = {},
): Promise<Verification> {
  const archive = packed instanceof Uint8Array ? packed : packFiles(packed);
  const { result } = await verifyPackage({
    file: 'acme.zip',
    archive,
    keys,
    policy: { policy: policySchema.parse({ exceptions: EXCEPTIONS, ...policy }), keys: [] },
    now: now ?? new Date(sealedAt.getTime() + 60 * MINUTE_MS),
  });
  return result;
}
