import { z } from 'zod';
import { runVerdict } from '../verdicts.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** An earlier attempt to certify in the same folder. */
export const attempt = z.strictObject({
  runId: z.string().describe('Id of the run.'),
  startedAt: z.iso.datetime().describe('Start of the run.'),
  verdict: runVerdict.describe('Verdict of the run.'),
  evidence: sha256.describe('SHA-256 of its evidence.jsonl.'),
});
export type Attempt = z.infer<typeof attempt>;

/** What the header of a journal says about a run of `conformance certify`. */
export const certification = z.strictObject({
  operator: z.string().min(1).describe('Who ran the kit: a person, a team or a job.'),
  ticket: z
    .string()
    .nullable()
    .describe('The ticket of the desk, which every request carries in User-Agent; null without one.'),
  kit: z
    .strictObject({
      commit: z.string().nullable().describe('The commit of the kit; null if it is not known.'),
      digest: sha256.describe('SHA-256 of the files of the kit.'),
      node: z.string().describe('Version of Node.js.'),
    })
    .describe('What identifies the kit, in addition to name and version.'),
  serverCertificate: z
    .string()
    .nullable()
    .describe('SHA-256 fingerprint of the TLS certificate of the target; null without TLS or through a proxy.'),
  attempts: z.array(attempt).describe('The earlier attempts in the same folder, oldest first.'),
});
export type Certification = z.infer<typeof certification>;

/** The User-Agent of every request of a run that certifies, so that the logs of the server corroborate the evidence. */
export function certificationUserAgent(
  { name, version }: { name: string; version: string },
  { ticket }: Pick<Certification, 'ticket'>,
): string {
  return ticket === null ? `${name}/${version}` : `${name}/${version} (ticket ${ticket})`;
}
