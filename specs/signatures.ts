import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A known defect, and the checks that fail or warn on a server that has only this defect. */
export const signature = z.strictObject({
  /** Id of the fault in the catalogue of the proof. */
  fault: z.string(),
  /** The requirement that it breaks. */
  requirement: z.string(),
  /** The defect in one sentence. */
  defect: z.string(),
  /** Checks that fail or warn, in catalogue order. */
  red: z.array(z.string()),
});
export type Signature = z.infer<typeof signature>;

/** The signatures of all known defects. `npm run signatures` measures them. */
export const signatureFile = z.strictObject({
  schemaVersion: z.literal(1),
  kit: z.string(),
  /** Digest of the catalogue of the kit that measured them. */
  catalogue: z.string(),
  faults: z.array(signature),
});
export type SignatureFile = z.infer<typeof signatureFile>;

export const SIGNATURE_FILE_URL = new URL('./generated/signatures.json', import.meta.url);

let signatures: readonly Signature[] | null = null;

/** The signatures of the known defects. Reads the file at the first call only. */
export function readSignatures(): readonly Signature[] {
  signatures ??= signatureFile.parse(JSON.parse(readFileSync(SIGNATURE_FILE_URL, 'utf8'))).faults;
  return signatures;
}
