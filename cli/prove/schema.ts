import { z } from 'zod';
import { checkVerdict, level } from '../../specs/verdicts.ts';

const checkResult = z.strictObject({ check: z.string(), verdict: checkVerdict, reason: z.string() });
export type CheckResult = z.infer<typeof checkResult>;

export const faultProof = z.strictObject({
  id: z.string(),
  area: z.string(),
  requirement: z.string(),
  level,
  sentence: z.string(),
  caughtBy: z.array(z.string()),
  /** Every red check, named by the fault or not. */
  red: z.array(z.string()),
  /** Named checks that did not turn red, with their verdicts. */
  missed: z.array(checkResult),
  /** Checks that ended in an internal error of the kit. */
  errors: z.array(checkResult),
});
export type FaultProof = z.infer<typeof faultProof>;

export const variationProof = z.strictObject({
  id: z.string(),
  openPoint: z.string().nullable(),
  choice: z.string(),
  /** Checks that the variation did not pass. */
  held: z.array(checkResult),
  passed: z.number().int(),
  notApplicable: z.array(z.string()),
  /** Checks that are blocked by a missing entry of the target file of the variation. */
  beyondTarget: z.array(z.string()),
});
export type VariationProof = z.infer<typeof variationProof>;

export const rowProof = z.strictObject({
  /** The variations of the composed server. */
  variations: z.array(z.string()),
  /** Checks that the server did not pass. */
  held: z.array(checkResult),
  /** The smallest set of variations that does not pass; empty if the repetition passed. */
  culprits: z.array(z.string()),
});
export type RowProof = z.infer<typeof rowProof>;

export const pairsProof = z.strictObject({
  /** Compatible pairs of variations. */
  all: z.number().int(),
  /** Pairs that are part of a composition that passed. */
  passed: z.number().int(),
  rows: z.array(rowProof),
});
export type PairsProof = z.infer<typeof pairsProof>;

/** The content of proof.json, written by `conformance prove`. */
export const proof = z.strictObject({
  schemaVersion: z.literal(1),
  kit: z.strictObject({ name: z.string(), version: z.string() }),
  catalogue: z.string(),
  finishedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** Whether each fault ran only against the checks that it names. */
  quick: z.boolean(),
  /** Whether only selected servers ran; `alive` then covers only the checks named by --check. */
  narrowed: z.boolean(),
  checks: z.array(z.string()),
  faults: z.array(faultProof),
  variations: z.array(variationProof),
  /** Null if no compositions ran. */
  pairs: pairsProof.nullable(),
  /** Checks that no fault turned red, without those of `beyondReach`. */
  alive: z.array(z.string()),
  /** Checks that no fault can turn red, each with the reason. */
  beyondReach: z.array(z.strictObject({ check: z.string(), reason: z.string() })),
  gaps: z.array(z.string()),
});
export type Proof = z.infer<typeof proof>;
