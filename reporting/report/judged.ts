import type { CheckReport } from '../../specs/formats/report.ts';
import { isRequestLimit } from '../../specs/verdicts.ts';

/** What a run knows of a check, as far as it decides the verdict and the exit code. */
export type CheckFact = Pick<CheckReport, 'id' | 'level' | 'verdict' | 'executed' | 'blockedBy'>;

/** Whether the check compared the server with its requirement. A run without such a check is inconclusive. */
export function isJudged(check: Pick<CheckFact, 'verdict' | 'executed'>): boolean {
  return check.executed && (check.verdict === 'pass' || check.verdict === 'warn' || check.verdict === 'fail');
}

export function isUndecided(check: Pick<CheckFact, 'verdict' | 'executed'>): boolean {
  return !check.executed || check.verdict === 'blocked' || check.verdict === 'error';
}

/** Whether the request budget of the run was used up before this check was judged. */
export function isOverBudget(check: Pick<CheckFact, 'verdict' | 'blockedBy'>): boolean {
  return check.verdict === 'blocked' && isRequestLimit(check.blockedBy);
}

/** A run with a budget judges as much as the budget allows, and promises nothing about the rest. */
export function plannedChecks<Check extends CheckFact>(
  checks: readonly Check[],
  budget: number | undefined,
): readonly Check[] {
  return budget === undefined ? checks : checks.filter((check) => !isOverBudget(check));
}
