import { z } from 'zod';
import { level } from './verdicts.ts';

export const checkEntry = z.strictObject({
  id: z.string().regex(/^[A-Z]+-\d{2}\.[a-z0-9-]+$/),
  title: z.string().min(8),
});

/** One normative sentence of the contract, or one thing it leaves open (`observed`). */
export const requirement = z
  .strictObject({
    id: z.string().regex(/^[A-Z]+-\d{2}$/),
    area: z.string(),
    /** Where in the specification the sentence stands. */
    section: z.string(),
    level,
    statement: z.string().min(10),
    checks: z.array(checkEntry).default([]),
    /** Ids of the observations that record what the target does; for `observed` entries. */
    observations: z.array(z.string()).default([]),
    /** Why no black box can judge it. */
    unjudged: z.string().optional(),
  })
  .superRefine((entry, context) => {
    const answers = [entry.checks.length > 0, entry.observations.length > 0, entry.unjudged !== undefined];
    if (answers.filter(Boolean).length !== 1) {
      context.addIssue(`${entry.id}: exactly one of checks, observations and unjudged must be given`);
    }
    if ((entry.level === 'observed') !== entry.observations.length > 0) {
      context.addIssue(`${entry.id}: observations belong to the level observed, and to it alone`);
    }
    for (const check of entry.checks) {
      if (!check.id.startsWith(`${entry.id}.`)) context.addIssue(`${check.id} does not belong to ${entry.id}`);
    }
  });
export type Requirement = z.infer<typeof requirement>;
