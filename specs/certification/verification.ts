import { z } from 'zod';
import { report } from '../formats/report.ts';
import { waiver } from './policy.ts';
import { certificateStatement } from './statements.ts';

/** A reason why a package cannot be certified. */
export const blocker = z.strictObject({
  kind: z
    .enum(['integrity', 'signature', 'evidence', 'verdict', 'policy'])
    .describe(
      'What it is about: the files, who signed them, the recorded run, its verdict, or the policy of the desk.',
    ),
  problem: z.string().describe('What is wrong, in one sentence without a full stop.'),
  remedy: z.string().describe('What to do, in one sentence without a full stop.'),
});
export type Blocker = z.infer<typeof blocker>;

/** The result of `conformance verify`. */
export const verification = z.strictObject({
  schemaVersion: z.literal(1),
  package: z.string().describe('The file.'),
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
  certifiable: z.enum(['yes', 'no']),
  blockers: z.array(blocker).describe('Empty if the package is certifiable.'),
  waivers: z.array(waiver).describe('The waivers of the policy that cover failed requirements of this run.'),
  signers: z.array(z.string()).describe('Ids of the accepted keys that have signed the package.'),
  certificate: z
    .strictObject({
      ...certificateStatement.shape.predicate.shape,
      signers: z.array(z.string()).describe('Ids of the accepted keys that have signed the certificate.'),
    })
    .nullable()
    .describe('The certificate of a desk; null if the package has none.'),
  run: z
    .strictObject({
      ...report.pick({ verdict: true, headline: true, certification: true, target: true, kit: true, run: true }).shape,
      failed: z.array(z.string()).describe('Ids of the failed checks.'),
      warned: z.array(z.string()).describe('Ids of the checks with a warning.'),
      unjudgedByWaiver: z
        .array(z.string())
        .describe('Ids of the required checks that a waived failure blocks: they were not judged.'),
      notApplicable: z
        .array(z.string())
        .describe('Ids of the checks that concern a situation that the run did not show.'),
    })
    .nullable()
    .describe('The run, judged again from its evidence; null if the evidence is not readable.'),
});
export type Verification = z.infer<typeof verification>;
