import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeFile } from './code-location.ts';

/** A known defect, and the checks that fail or warn on a server that has only this defect. */
export const signature = z.strictObject({
  /** Id of the fault in the catalogue of the proof. */
  fault: z.string(),
  /** The requirement that it breaks. */
  requirement: z.string(),
  /** The defect in one sentence. */
  defect: z.string(),
  /** The checks that fail or warn, in catalogue order, each with the status of its deciding response; null if it has none. */
  red: z.record(z.string(), z.number().int().nullable()),
});
export type Signature = z.infer<typeof signature>;

/** The status that the actual result of a failed check begins with: `200 {"id":…`. Null if it is about no single response. */
export function statusOfActual(actual: string): number | null {
  const [, status] = /^([1-5]\d{2})\b/.exec(actual) ?? [];
  return status === undefined ? null : Number(status);
}

/** The signatures of all known defects. `npm run signatures` measures them. */
export const signatureFile = z.strictObject({
  schemaVersion: z.literal(2),
  kit: z.string(),
  /** Digest of the catalogue of the kit that measured them. */
  catalogue: z.string(),
  faults: z.array(signature),
});
export type SignatureFile = z.infer<typeof signatureFile>;

export const SIGNATURE_FILE = codeFile('specs/generated/signatures.json');

let signatures: readonly Signature[] | null = null;

/** The signatures of the known defects. Reads the file at the first call only. */
export function readSignatures(): readonly Signature[] {
  signatures ??= signatureFile.parse(JSON.parse(readFileSync(SIGNATURE_FILE, 'utf8'))).faults;
  return signatures;
}

/** The share of the known defects that at least one of these checks detects, from 0 to 1. */
export function detectedShare(ids: Iterable<string>): number {
  const chosen = new Set(ids);
  const all = readSignatures();
  return all.filter(({ red }) => Object.keys(red).some((id) => chosen.has(id))).length / all.length;
}
