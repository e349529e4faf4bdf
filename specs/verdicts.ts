import { z } from 'zod';

/** Verdicts of one check, worst first; `not-applicable` has no place in the order. */
export const CHECK_VERDICTS = ['fail', 'error', 'blocked', 'warn', 'pass', 'not-applicable'] as const;
export const checkVerdict = z
  .enum(CHECK_VERDICTS)
  .describe('Verdict of the check. `warn`: a breach of an implied requirement. `error`: a defect of the kit.');
export type CheckVerdict = z.infer<typeof checkVerdict>;

export const requirementVerdict = z
  .enum([...CHECK_VERDICTS, 'not-selected'])
  .describe(
    'The worst verdict of its checks. `not-selected`: none is part of this run; it counts neither for nor against. `not-applicable`: also if no check can judge it.',
  );
export type RequirementVerdict = z.infer<typeof requirementVerdict>;

export const runVerdict = z
  .enum(['conformant', 'passed', 'non-conformant', 'inconclusive'])
  .describe('Verdict of the run. `passed`: nothing failed, but only a part of the profile was judged.');
export type RunVerdict = z.infer<typeof runVerdict>;

export const level = z
  .enum(['required', 'implied', 'observed'])
  .describe(
    '`required`: the contract says so. `implied`: a reader must deduce it. `observed`: left open, recorded, never judged.',
  );
export type Level = z.infer<typeof level>;

/** What may limit the requests of a run. It is the cause of a check that is blocked because they are used up. */
export const REQUEST_LIMITS = ['limits.maxRequests of the target file', '--max-requests', '--budget'] as const;
export type RequestLimit = (typeof REQUEST_LIMITS)[number];

/** Whether the cause of a blocked check is a limit of the requests. */
export function isRequestLimit(cause: string | null): boolean {
  return REQUEST_LIMITS.some((limit) => limit === cause);
}

/** Why an exchange rule has no verdict. */
export const NO_RESPONSE = 'the run received no response that this rule applies to';

/** Whether a check found a breach: it failed or, for an implied requirement, warned. */
export function isRed({ verdict }: { readonly verdict: CheckVerdict }): boolean {
  return verdict === 'fail' || verdict === 'warn';
}
