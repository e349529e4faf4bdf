import { z } from 'zod';
import { headerRecord } from '../formats/journal.ts';

export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256, in hexadecimal.');

/** The files of a package. All but the last four are named in its manifest. */
export const PACKAGE_FILES = {
  evidence: 'evidence.jsonl',
  report: 'report.json',
  page: 'report.html',
  target: 'target.json',
  readMe: 'README.txt',
  manifest: 'manifest.json',
  testResult: 'test-result.dsse.json',
  run: 'run.dsse.json',
  certificate: 'certificate.dsse.json',
  certificatePage: 'certificate.html',
} as const;

/** What a package contains: every file but the manifest itself, and what signs it. */
export const manifest = z.strictObject({
  schemaVersion: z.literal(1),
  sealedAt: z.iso.datetime().describe('When the package was sealed: ISO 8601, UTC.'),
  kit: headerRecord.shape.kit.describe('The kit that sealed the package.'),
  runId: z.string().describe('Id of the run.'),
  catalogue: z.string().describe('Digest of the catalogue of requirements.'),
  profile: z.string().describe('Name of the profile.'),
  files: z
    .array(z.strictObject({ path: z.string(), sha256, bytes: z.number().int().nonnegative() }))
    .describe('The files, with their digests before compression.'),
});
export type Manifest = z.infer<typeof manifest>;
