import { type Manifest, PACKAGE_FILES } from '../../specs/certification/package.ts';
import type { Report } from '../../specs/formats/report.ts';
import { formats, renderReport } from '../formats/formats.ts';
import { digestOf, type PackageContent } from './archive.ts';
import { type KeyPair, keyId, sealStatement } from './envelope.ts';
import { toJson } from './package-json.ts';
import { readMeOf } from './read-me.ts';
import { runStatementOf, testResultOf } from './statements.ts';

export interface SealRequest {
  readonly report: Report;
  readonly evidence: Uint8Array;
  /** The target without secrets. */
  readonly target: object;
  readonly kit: Manifest['kit'];
  /** Null for an unsigned package. */
  readonly key: KeyPair | null;
  readonly sealedAt: Date;
}

/** The files of the package of a run. */
export function sealPackage({ report, evidence, target, kit, key, sealedAt }: SealRequest): PackageContent {
  const described = new Map<string, Uint8Array>([
    [PACKAGE_FILES.readMe, Buffer.from(readMeOf(report, key && keyId(key.publicKey)))],
    [PACKAGE_FILES.evidence, evidence],
    [PACKAGE_FILES.report, Buffer.from(renderReport(formats.json, report))],
    [PACKAGE_FILES.page, Buffer.from(renderReport(formats.html, report))],
    [PACKAGE_FILES.target, toJson(target)],
  ]);
  const files = [...described].map(([path, bytes]) => ({ path, sha256: digestOf(bytes), bytes: bytes.length }));
  const manifest = toJson({
    schemaVersion: 1,
    sealedAt: sealedAt.toISOString(),
    kit,
    runId: report.run.id,
    catalogue: report.catalogue.digest,
    profile: report.run.profile,
    files,
  } satisfies Manifest);
  const subjects = [...files, { path: PACKAGE_FILES.manifest, sha256: digestOf(manifest) }].map(({ path, sha256 }) => ({
    name: path,
    digest: { sha256 },
  }));
  const configuration = subjects.filter(({ name }) => name === PACKAGE_FILES.target);
  return new Map([
    ...described,
    [PACKAGE_FILES.manifest, manifest],
    [PACKAGE_FILES.testResult, toJson(sealStatement(testResultOf(report, subjects, configuration), key))],
    [PACKAGE_FILES.run, toJson(sealStatement(runStatementOf(report, subjects), key))],
  ]);
}
