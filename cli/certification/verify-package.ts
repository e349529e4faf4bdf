import type { KeyObject } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { kitIdentity } from '../../engine/runtime/kit-identity.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import { digestOf, type PackageContent, PackageError, unpackFiles } from '../../reporting/certification/archive.ts';
import { evidenceProblems } from '../../reporting/certification/evidence-problems.ts';
import {
  fileProblems,
  readCertificate,
  readManifest,
  readStatements,
} from '../../reporting/certification/package-problems.ts';
import { appliedWaivers, policyProblems, verdictBlockers } from '../../reporting/certification/policy-problems.ts';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { JournalError, type JournalSource, readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import { catalogueDigest, requirements } from '../../specs/catalogue/catalogue.ts';
import { checksOfProfile, profileNames } from '../../specs/catalogue/selection.ts';
import { PACKAGE_FILES } from '../../specs/certification/package.ts';
import type { Blocker, Verification } from '../../specs/certification/verification.ts';
import type { Report } from '../../specs/report.ts';
import { createTemporaryFolder } from '../processes/temporary-folder.ts';
import type { LoadedPolicy } from './read-policy.ts';
import { rejudgeRules } from './rejudge-rules.ts';

/** A package may come from a machine whose clock is a little ahead. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

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

/** Verifies a package without a network: its files, its signature, its evidence, its verdict, and what the desk asks. */
export async function verifyPackage(request: VerificationRequest): Promise<VerifiedPackage> {
  const { file, archive, policy, now } = request;
  const opened = openArchive(archive);
  const { content } = opened;
  const manifest = readManifest(content);
  const run = await readRun(content);
  const { report } = run;
  const keys = [...request.keys, ...policy.keys];
  const statements =
    manifest === null ? { problems: [], signers: [] } : readStatements(content, { manifest, report, keys });
  const { certificate, problems: certificateProblems } = readCertificate(content, keys);
  const waivers = report === null ? [] : appliedWaivers(report, policy.policy, now);
  const blockers = [
    ...opened.problems,
    ...(opened.problems.length > 0 ? [] : fileProblems(content, manifest)),
    ...statements.problems,
    ...certificateProblems,
    ...signatureProblems(statements.signers, keys),
    ...run.problems,
    ...(manifest === null || report === null ? [] : sealTimeProblems(manifest.sealedAt, report, now)),
    ...(report === null ? [] : verdictBlockers(report, waivers)),
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
      run: report && summaryOf(report),
    },
  };
}

function openArchive(archive: Uint8Array): { content: PackageContent; problems: Blocker[] } {
  try {
    return { content: unpackFiles(archive), problems: [] };
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    const problem = `the package ${error.message}`;
    return {
      content: new Map(),
      problems: [{ kind: 'integrity', problem, remedy: 'ask for the package as it was sealed' }],
    };
  }
}

/** The report of the evidence, and what contradicts it in the evidence and in the package. */
async function readRun(content: PackageContent): Promise<{ report: Report | null; problems: Blocker[] }> {
  const evidence = content.get(PACKAGE_FILES.evidence);
  if (evidence === undefined) return { report: null, problems: [] };
  const folder = createTemporaryFolder('verify');
  try {
    const journal = join(folder, JOURNAL_FILE);
    writeFileSync(journal, evidence, { mode: 0o600 });
    const source: JournalSource = () => readJournal(journal);
    const report = await buildReport(source);
    return { report, problems: [...(await runProblems(source, report)), ...renderingProblems(content, report)] };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const problem = `the evidence is not readable: ${error.message.replaceAll(`${folder}/`, '')}`;
    return { report: null, problems: [{ kind: 'evidence', problem, remedy: 'ask for the package as it was sealed' }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runProblems(source: JournalSource, report: Report): Promise<Blocker[]> {
  const isKnownProfile = profileNames.includes(report.run.profile);
  const problems = await evidenceProblems(source, {
    catalogue: { digest: catalogueDigest, requirements: [...requirements] },
    checksOfProfile: (profile) => (isKnownProfile ? checksOfProfile(profile) : []),
  });
  return [...problems, ...(await rejudgeRules(source))];
}

/** The reports of a package must be those of its evidence. Another version of the kit renders them in another way. */
function renderingProblems(content: PackageContent, report: Report): Blocker[] {
  if (report.kit.version !== kit.version) return [];
  const isSameBuild = report.certification?.kit.digest === kitIdentity().digest;
  const rendered = [
    { path: PACKAGE_FILES.report, format: formats.json },
    { path: PACKAGE_FILES.page, format: formats.html },
  ];
  return rendered
    .filter(({ path, format }) => {
      const bytes = content.get(path);
      return bytes !== undefined && Buffer.from(bytes).toString() !== renderReport(format, report);
    })
    .map(({ path }) => ({
      kind: 'integrity' as const,
      problem: `${path} is not the report of the evidence${isSameBuild ? '' : ', or another build of the kit wrote it'}`,
      remedy: isSameBuild
        ? 'ask for the package as it was sealed, or seal the run again'
        : 'verify with the build of the kit that judged the run',
    }));
}

function signatureProblems(signers: readonly string[], keys: readonly KeyObject[]): Blocker[] {
  if (signers.length > 0) return [];
  const blocker = (problem: string, remedy: string): Blocker => ({ kind: 'signature', problem, remedy });
  return keys.length === 0
    ? [
        blocker(
          'no key was given, so the signature was not verified',
          'name the public key of the partner with --key, or in the policy',
        ),
      ]
    : [
        blocker(
          'no accepted key has signed the package',
          'ask the partner for its public key, or for a package signed with the known one',
        ),
      ];
}

function sealTimeProblems(sealedAt: string, { run }: Report, now: Date): Blocker[] {
  const sealed = Date.parse(sealedAt);
  const problems = [
    ...(sealed < Date.parse(run.finishedAt)
      ? ['the package was sealed before its run ended: a clock was turned back']
      : []),
    ...(sealed > now.getTime() + CLOCK_TOLERANCE_MS ? ['the package was sealed in the future: a clock is wrong'] : []),
  ];
  return problems.map((problem) => ({
    kind: 'evidence' as const,
    problem,
    remedy: 'correct the clock and certify again',
  }));
}

function summaryOf(report: Report): NonNullable<Verification['run']> {
  const { verdict, headline, certification, target, kit: judge, run, checks } = report;
  const idsWith = (wanted: string) => checks.filter((check) => check.verdict === wanted).map(({ id }) => id);
  return {
    verdict,
    headline,
    certification,
    target,
    kit: judge,
    run,
    failed: idsWith('fail'),
    warned: idsWith('warn'),
  };
}
