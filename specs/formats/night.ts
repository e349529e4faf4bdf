import { z } from 'zod';
import { checkReport, report } from './report.ts';

/** A run in a history: what later runs are compared with. Its folder also holds the report. */
export const night = z.strictObject({
  schemaVersion: z.literal(1),
  kit: report.shape.kit,
  run: report.shape.run
    .pick({
      id: true,
      startedAt: true,
      finishedAt: true,
      seed: true,
      profile: true,
      filtered: true,
      budget: true,
      shard: true,
    })
    .extend({
      /** Why the run was interrupted; absent for a run that ended as planned. */
      interrupted: z.string().optional(),
    }),
  target: report.shape.target.pick({ name: true, baseUrl: true, implementation: true }),
  catalogue: report.shape.catalogue,
  verdict: report.shape.verdict,
  exitCode: report.shape.exitCode,
  /**
   * The verdict of each check, by id. A run says nothing of checks that it did not execute, or that other users of the sandbox
   * disturbed.
   */
  checks: z.record(z.string(), checkReport.shape.verdict),
  /** The checks that were blocked because another check failed: they are a part of its failure. */
  consequences: z.array(z.string()),
  /** What kept the run from a verdict; null for a run that could judge every required check. */
  undecided: z.strictObject({ checks: z.number().int(), reason: z.string() }).nullable(),
  /** A digest of the text of each check of the kit, by id. */
  digests: z.record(z.string(), z.string()),
  observations: report.shape.observations,
  operations: report.shape.timings.shape.operations,
});
export type Night = z.infer<typeof night>;
