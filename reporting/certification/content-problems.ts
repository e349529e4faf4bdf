import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Manifest, PACKAGE_FILES } from '../../specs/certification/package.ts';
import { envelope } from '../../specs/certification/statements.ts';
import type { Blocker } from '../../specs/certification/verification.ts';
import { implementation } from '../../specs/formats/journal.ts';
import type { Report } from '../../specs/formats/report.ts';
import type { PackageContent } from './archive.ts';
import { jsonIn } from './package-json.ts';
import { broken } from './package-problems.ts';
import { readMeOf } from './read-me.ts';

/** What the manifest, the target description and README.txt say, and the evidence does not. */
export function contentProblems(content: PackageContent, manifest: Manifest, report: Report): Blocker[] {
  const { run, catalogue, kit, target } = report;
  const isOfRun =
    manifest.runId === run.id &&
    manifest.catalogue === catalogue.digest &&
    manifest.profile === run.profile &&
    isDeepStrictEqual(manifest.kit, kit);
  const described = describedTarget.safeParse(jsonIn(content, PACKAGE_FILES.target));
  const isTarget =
    described.success &&
    described.data.baseUrl === target.baseUrl &&
    (described.data.name === undefined || described.data.name === target.name) &&
    isDeepStrictEqual(described.data.implementation, target.implementation);
  const readMe = Buffer.from(content.get(PACKAGE_FILES.readMe) ?? new Uint8Array()).toString();
  const possible = [null, ...namedSigners(content)].map((signer) => readMeOf(report, signer));
  return [
    ...(isOfRun ? [] : [broken(`${PACKAGE_FILES.manifest} is about another run, or another kit sealed it`)]),
    ...(isTarget ? [] : [broken(`${PACKAGE_FILES.target} describes a target other than that of the evidence`)]),
    ...(possible.includes(readMe) ? [] : [broken(`${PACKAGE_FILES.readMe} does not say what the evidence says`)]),
  ];
}

const describedTarget = z.looseObject({
  baseUrl: z.string(),
  name: z.string().optional(),
  implementation: implementation.optional(),
});

/** The ids of the keys that the envelope of the run names. */
function namedSigners(content: PackageContent): string[] {
  const { data } = envelope.safeParse(jsonIn(content, PACKAGE_FILES.run));
  return (data?.signatures ?? []).map(({ keyid }) => keyid);
}
