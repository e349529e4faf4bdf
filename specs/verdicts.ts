import { z } from 'zod';

/** Verdicts of one check, worst first; `not-applicable` has no place in the order. */
export const CHECK_VERDICTS = ['fail', 'error', 'blocked', 'warn', 'pass', 'not-applicable'] as const;
export const checkVerdict = z.enum(CHECK_VERDICTS);
export type CheckVerdict = z.infer<typeof checkVerdict>;

/** `not-selected`: no check of the requirement is part of this run; it counts neither for nor against. */
export const requirementVerdict = z.enum([...CHECK_VERDICTS, 'not-selected']);
export type RequirementVerdict = z.infer<typeof requirementVerdict>;

/** `passed`: nothing failed in a selection of the profile; the other checks were not judged. */
export const runVerdict = z.enum(['conformant', 'passed', 'non-conformant', 'inconclusive']);
export type RunVerdict = z.infer<typeof runVerdict>;

/**
 * `required`: the contract says so. `implied`: a reader must deduce it. `observed`: left open, recorded, never judged.
 */
export const level = z.enum(['required', 'implied', 'observed']);
export type Level = z.infer<typeof level>;

/** The cause of a check that is blocked because the request budget of the run was used up. */
export const REQUEST_BUDGET_CAUSE = 'limits.maxRequests of the target file';

/** Whether a check found a breach: it failed or, for an implied requirement, warned. */
export function isRed({ verdict }: { readonly verdict: CheckVerdict }): boolean {
  return verdict === 'fail' || verdict === 'warn';
}
