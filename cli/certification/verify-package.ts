import type { KeyObject } from 'node:crypto';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import { digestOf, type PackageContent, PackageError, unpackFiles } from '../../reporting/certification/archive.ts';
import { contentProblems } from '../../reporting/certification/content-problems.ts';
import { keyId } from '../../reporting/certification/envelope.ts';
import {
  fileProblems,
  readCertificate,
  readManifest,
  readStatements,
} from '../../reporting/certification/package-problems.ts';
import {
  coveringWaivers,
  policyProblems,
  unjudgedByWaiver,
  verdictBlockers,
} from '../../reporting/certification/policy-problems.ts';
import {
  certificateSignatureProblems,
  sealTimeProblems,
  signatureProblems,
} from '../../reporting/certification/signature-problems.ts';
import type { Verification } from '../../specs/certification/verification.ts';
import type { Report } from '../../specs/formats/report.ts';
import { readEvidence } from './read-evidence.ts';
import type { LoadedPolicy } from './read-policy.ts';

export interface VerificationRequest {
  readonly file: string;
  readonly archive: Uint8Array;
  /** The keys that may have signed the package; those of the policy come in addition. */
  readonly keys: readonly KeyObject[];
  readonly policy: LoadedPolicy;
  readonly now: Date;
}

/** A package, opened and judged again. */
export interface VerifiedPackage {
  readonly result: Verification;
  readonly content: PackageContent;
  /** Built from the evidence; null if that is not readable. */
  readonly report: Report | null;
}

/**
 * Verifies a package without a network: its files, its signature, its evidence, its verdict, and what the desk requires. Throws a
 * ConfigurationError if the archive is not readable in one way only.
 */
export async function verifyPackage(request: VerificationRequest): Promise<VerifiedPackage> {
  const { file, archive, policy, now } = request;
  const content = openArchive(file, archive);
  const manifest = readManifest(content);
  const run = await readEvidence(content);
  const { report } = run;
  const keys = [...new Map([...request.keys, ...policy.keys].map((key) => [keyId(key), key])).values()];
  const statements =
    manifest === null
      ? { problems: [], signers: [], isSigned: false }
      : readStatements(content, { manifest, report, keys });
  const { certificate, problems: certificateProblems } = readCertificate(content, keys);
  const covering = report === null ? { applied: [], expired: [] } : coveringWaivers(report, policy.policy, now);
  const waivers = covering.applied;
  const blockers = [
    ...fileProblems(content, manifest),
    ...statements.problems,
    ...certificateProblems,
    ...certificateSignatureProblems(certificate, statements.signers),
    ...(manifest === null || report === null ? [] : contentProblems(content, manifest, report)),
    ...(manifest === null ? [] : signatureProblems(statements, keys)),
    ...run.problems,
    ...(manifest === null || report === null ? [] : sealTimeProblems(manifest.sealedAt, report, now)),
    ...(report === null ? [] : verdictBlockers(report, covering)),
    ...(report === null ? [] : policyProblems({ report, policy: policy.policy, kitVersion: kit.version, now })),
  ];
  return {
    content,
    report,
    result: {
      schemaVersion: 1,
      package: file,
      sha256: digestOf(archive),
      certifiable: blockers.length === 0 ? 'yes' : 'no',
      blockers,
      waivers,
      signers: statements.signers,
      certificate,
      run: report && { ...summaryOf(report), unjudgedByWaiver: unjudgedByWaiver(report, waivers) },
    },
  };
}

/** Throws a ConfigurationError if the archive has no one reading: nothing is judged then. */
function openArchive(file: string, archive: Uint8Array): PackageContent {
  try {
    return unpackFiles(archive);
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    throw new ConfigurationError(`<package>: ${file} ${error.message}; ask for the package as it was sealed`);
  }
}

function summaryOf(report: Report): Omit<NonNullable<Verification['run']>, 'unjudgedByWaiver'> {
  const { verdict, headline, certification, target, kit: judge, run, checks } = report;
  const idsWith = (wanted: string) => checks.filter((check) => check.verdict === wanted).map(({ id }) => id);
  return {
    ...{ verdict, headline, certification, target, kit: judge, run },
    failed: idsWith('fail'),
    warned: idsWith('warn'),
    notApplicable: idsWith('not-applicable'),
  };
}
