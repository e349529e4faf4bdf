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
  /** Every check that turned red, named or not. */
  red: z.array(z.string()),
  /** Named checks that stayed green, with what they said instead. */
  missed: z.array(checkResult),
  /** Checks in which the kit itself broke. */
  errors: z.array(checkResult),
});
export type FaultProof = z.infer<typeof faultProof>;

export const variationProof = z.strictObject({
  id: z.string(),
  openPoint: z.string().nullable(),
  choice: z.string(),
  /** Checks that did not let an honest server pass. */
  held: z.array(checkResult),
  passed: z.number().int(),
  notApplicable: z.array(z.string()),
  /** Checks that the variation's own target file leaves without what they need. */
  beyondTarget: z.array(z.string()),
});
export type VariationProof = z.infer<typeof variationProof>;

export const rowProof = z.strictObject({
  /** The variations that one server was composed of. */
  variations: z.array(z.string()),
  /** Checks that did not let it pass. */
  held: z.array(checkResult),
  /** The fewest of them that are not passed together; none where it did not happen a second time. */
  culprits: z.array(z.string()),
});
export type RowProof = z.infer<typeof rowProof>;

export const pairsProof = z.strictObject({
  /** Pairs of variations that can stand together. */
  all: z.number().int(),
  /** Those of them that were met in a composition which was passed. */
  passed: z.number().int(),
  rows: z.array(rowProof),
});
export type PairsProof = z.infer<typeof pairsProof>;

/** What `conformance prove` leaves as proof.json. */
export const proof = z.strictObject({
  schemaVersion: z.literal(1),
  kit: z.strictObject({ name: z.string(), version: z.string() }),
  catalogue: z.string(),
  finishedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** Each fault met only the checks that it names. */
  quick: z.boolean(),
  /** Named servers only: then nothing is said of the checks that no fault turned red. */
  narrowed: z.boolean(),
  checks: z.array(z.string()),
  faults: z.array(faultProof),
  variations: z.array(variationProof),
  /** Null where only servers by name were asked for. */
  pairs: pairsProof.nullable(),
  /** Checks that no fault turned red, of those that one could. */
  alive: z.array(z.string()),
  /** Checks that no server can turn red within the kit's means, each with the reason. */
  beyondReach: z.array(z.strictObject({ check: z.string(), reason: z.string() })),
  gaps: z.array(z.string()),
});
export type Proof = z.infer<typeof proof>;
