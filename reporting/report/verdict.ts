import type { Requirement } from '../../specs/catalogue/requirement.ts';
import type { CheckReport, Report } from '../../specs/formats/report.ts';
import { CHECK_VERDICTS, type CheckVerdict, type RequirementVerdict, type RunVerdict } from '../../specs/verdicts.ts';
import { joinNames, pluralize } from '../text/wording.ts';
import { exitCodeOf } from './exit-code.ts';
import { headlineOf } from './headline.ts';
import { isJudged, isOverBudget, isUndecided, plannedChecks } from './judged.ts';
import type { RunFacts } from './run-facts.ts';

/** The worst of the verdicts; `not-applicable` if there are none. */
export function worstVerdict(verdicts: readonly CheckVerdict[]): CheckVerdict {
  return CHECK_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'not-applicable';
}

export interface RequirementJudgement {
  readonly verdict: RequirementVerdict;
  /** Why the requirement was not judged; empty if it was. */
  readonly reason: string;
}

/** The verdict of a requirement, from its checks that this run selected. */
export function judgeRequirement(
  requirement: Pick<Requirement, 'level' | 'unjudged'>,
  selected: readonly Pick<CheckReport, 'verdict' | 'reason'>[],
  whyNotSelected = 'none of its checks is part of this run',
): RequirementJudgement {
  if (requirement.unjudged !== undefined) return { verdict: 'not-applicable', reason: requirement.unjudged };
  if (requirement.level === 'observed') return { verdict: 'not-applicable', reason: 'recorded, never judged' };
  if (selected.length === 0) return { verdict: 'not-selected', reason: whyNotSelected };
  const verdict = worstVerdict(selected.map((check) => check.verdict));
  const judged = verdict === 'fail' || verdict === 'warn' || verdict === 'pass';
  return { verdict, reason: judged ? '' : (selected.find((check) => check.verdict === verdict)?.reason ?? '') };
}

export interface RunJudgement {
  readonly verdict: RunVerdict;
  /** The verdict with its scope and exceptions. */
  readonly headline: string;
  /** One sentence, for users. */
  readonly reason: string;
  readonly exitCode: Report['exitCode'];
}

/** Decides the verdict of the run, its reason and the exit code. Only an internal error of the kit (exit code 4) is decided elsewhere, in `cli/`. */
export function judgeRun(facts: RunFacts): RunJudgement {
  const verdict = runVerdictOf(facts);
  return {
    verdict,
    headline: headlineOf(verdict, facts, facts.checks.filter(isOverBudget).length),
    reason: REASONS[verdict](facts),
    exitCode: exitCodeOf(facts, verdict),
  };
}

function runVerdictOf(facts: RunFacts): RunVerdict {
  const { interrupted, filtered, budget, shard } = facts;
  const checks = plannedChecks(facts.checks, budget);
  if (checks.some((check) => check.verdict === 'fail')) return 'non-conformant';
  if (interrupted !== null || !checks.some(isJudged)) return 'inconclusive';
  if (checks.some((check) => check.level === 'required' && isUndecided(check))) return 'inconclusive';
  const isPart = filtered.length > 0 || budget !== undefined || shard !== undefined || checks.some(isOverBudget);
  return isPart ? 'passed' : 'conformant';
}

const REASONS: Record<RunVerdict, (facts: RunFacts) => string> = {
  'non-conformant': (facts) => {
    const failed = facts.checks.filter((check) => check.verdict === 'fail');
    const judged = pluralize(facts.checks.filter(isJudged).length, 'judged check');
    const [first] = failed;
    const requirements = new Set(failed.map(({ id }) => id.split('.', 1)[0] ?? id));
    const names = failed.length === 1 ? first?.id : joinNames([...requirements]);
    return `${failed.length} of ${judged} failed (${names})${interruptionClause(facts)}.`;
  },
  inconclusive: (facts) => {
    if (!facts.checks.some((check) => check.executed)) return `No check was executed${interruptionClause(facts)}.`;
    const open = [...undecidedRequired(facts), ...undecidedImplied(facts)];
    const parts = [...(facts.checks.some(isJudged) ? [] : ['no check could be judged']), ...open];
    return parts.length === 0
      ? `Nothing failed so far${interruptionClause(facts)}.`
      : `Nothing failed, but ${joinNames(parts, parts.length)}${interruptionClause(facts)}.`;
  },
  passed: passedReason,
  conformant: passedReason,
};

function passedReason(facts: RunFacts): string {
  const judged = facts.checks.filter(isJudged);
  const warned = judged.filter((check) => check.verdict === 'warn').length;
  const asides = [
    ...(warned > 0 ? [`${pluralize(warned, 'implied check')} ${warned === 1 ? 'has' : 'have'} a warning`] : []),
    ...undecidedImplied(facts),
  ];
  const aside = asides.length === 0 ? '' : `; ${asides.join(', ')}`;
  const verdict =
    judged.length === 1 ? 'The judged check did not fail' : `None of the ${judged.length} judged checks failed`;
  return `${verdict}${aside}.`;
}

function undecidedImplied({ checks }: RunFacts): string[] {
  const open = checks.filter((check) => check.level === 'implied' && isUndecided(check));
  const names = joinNames(open.map((check) => check.id));
  return open.length === 0 ? [] : [`${pluralize(open.length, 'implied check')} could not be judged (${names})`];
}

function undecidedRequired({ checks }: RunFacts): string[] {
  const required = checks.filter((check) => check.level === 'required');
  const unexecuted = required.filter((check) => !check.executed).length;
  const blocked = required.filter((check) => check.executed && check.verdict === 'blocked').length;
  const broken = required.filter((check) => check.executed && check.verdict === 'error').length;
  return [
    ...(blocked > 0 ? [`${pluralize(blocked, 'required check')} ${blocked === 1 ? 'is' : 'are'} blocked`] : []),
    ...(broken > 0 ? [`${pluralize(broken, 'required check')} ended in an error of the kit`] : []),
    ...(unexecuted > 0
      ? [`${pluralize(unexecuted, 'required check')} ${unexecuted === 1 ? 'was' : 'were'} not executed`]
      : []),
  ];
}

function interruptionClause({ interrupted }: RunFacts): string {
  return interrupted === null ? '' : `; the run was interrupted: ${interrupted}`;
}
