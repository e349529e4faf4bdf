import { kitIdentity } from '../../engine/runtime/kit-identity.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import type { PackageContent } from '../../reporting/certification/archive.ts';
import { evidenceProblems } from '../../reporting/certification/evidence-problems.ts';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { JournalError, type JournalSource, readJournalBytes } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import { catalogueDigest, requirements } from '../../specs/catalogue/catalogue.ts';
import { checksOfProfile, excludeForbidden, profileNames } from '../../specs/catalogue/selection.ts';
import { PACKAGE_FILES } from '../../specs/certification/package.ts';
import type { Blocker } from '../../specs/certification/verification.ts';
import type { Report } from '../../specs/formats/report.ts';
import { judgeRulesAgain } from './judge-rules-again.ts';

const LINE_FEED = 0x0a;

/** The report of the evidence, and what contradicts it in the evidence and in the package. */
export async function readEvidence(content: PackageContent): Promise<{ report: Report | null; problems: Blocker[] }> {
  const evidence = content.get(PACKAGE_FILES.evidence);
  if (evidence === undefined) return { report: null, problems: [] };
  try {
    const source: JournalSource = () => readJournalBytes(evidence, PACKAGE_FILES.evidence);
    const report = await buildReport(source);
    const problems = [...textProblems(evidence), ...(await runProblems(source)), ...renderingProblems(content, report)];
    return { report, problems };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const problem = `the evidence is not readable: ${error.message}`;
    return { report: null, problems: [{ kind: 'evidence', problem, remedy: 'ask for the package as it was sealed' }] };
  }
}

/** The reader of a journal accepts what a killed run leaves. A sealed run has ended. */
export function lineProblems(evidence: Uint8Array): string[] {
  const text = Buffer.from(evidence.buffer, evidence.byteOffset, evidence.byteLength);
  return [
    ...(text.at(-1) === LINE_FEED ? [] : ['the evidence ends in the middle of a line']),
    ...(text.at(0) === LINE_FEED || text.includes('\n\n') ? ['the evidence has empty lines'] : []),
  ];
}

function textProblems(evidence: Uint8Array): Blocker[] {
  return lineProblems(evidence).map((problem) => ({
    kind: 'evidence' as const,
    problem,
    remedy: 'ask for the package as it was sealed',
  }));
}

async function runProblems(source: JournalSource): Promise<Blocker[]> {
  const problems = await evidenceProblems(source, {
    name: kit.name,
    catalogue: { digest: catalogueDigest, requirements: [...requirements] },
    planOf: (profile, allow) => {
      if (!profileNames.includes(profile)) return null;
      const { selected, excluded } = excludeForbidden(checksOfProfile(profile), allow);
      return { selected, excluded: excluded.map(({ check }) => check) };
    },
  });
  return [...problems, ...(await judgeRulesAgain(source))];
}

/** The reports of a package must be those of its evidence. Another version of the kit renders them in another way. */
function renderingProblems(content: PackageContent, report: Report): Blocker[] {
  if (report.kit.version !== kit.version)
    return [
      {
        kind: 'integrity',
        problem: `version ${report.kit.version} of the kit wrote the reports, which version ${kit.version} cannot compare with the evidence`,
        remedy: `verify with version ${report.kit.version} of the kit`,
      },
    ];
  const rendered = [
    { path: PACKAGE_FILES.report, format: formats.json },
    { path: PACKAGE_FILES.page, format: formats.html },
  ];
  const different = rendered.filter(({ path, format }) => {
    const bytes = content.get(path);
    return bytes !== undefined && Buffer.from(bytes).toString() !== renderReport(format, report);
  });
  if (different.length === 0) return [];
  const isSameBuild = report.certification?.kit.digest === kitIdentity().digest;
  return different.map(({ path }) => ({
    kind: 'integrity' as const,
    problem: `${path} differs from the report of the evidence${isSameBuild ? '' : ', or another build of the kit wrote it'}`,
    remedy: isSameBuild
      ? 'ask for the package as it was sealed, or seal the run again'
      : 'verify with the build of the kit that judged the run',
  }));
}
