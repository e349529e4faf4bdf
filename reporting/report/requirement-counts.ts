import type { Report, RequirementReport } from '../../specs/formats/report.ts';
import { CHECK_VERDICTS, type RequirementVerdict } from '../../specs/verdicts.ts';
import { groupBy } from '../text/group-by.ts';
import { pluralize, VERDICT_LABELS } from '../text/wording.ts';

/** The verdict of a requirement in words. Tells a requirement without checks from one whose checks are not applicable. */
export function requirementLabel({ level, verdict, checks }: RequirementReport): string {
  if (level === 'observed') return 'recorded only';
  return verdict === 'not-applicable' && checks.length === 0 ? 'not testable' : VERDICT_LABELS[verdict];
}

/** `145 requirements: 1 failed, 113 passed, 20 not applicable, 11 recorded only`, worst first. The counts add up. */
export function requirementCounts({ requirements }: Pick<Report, 'requirements'>): string {
  const kinds = groupBy(requirements.toSorted(byRank), requirementLabel);
  const parts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`);
  return `${pluralize(requirements.length, 'requirement')}: ${parts.join(', ')}`;
}

/** Neutral verdicts, and requirements without checks, come last. */
function byRank(one: RequirementReport, other: RequirementReport): number {
  return rankOf(one) - rankOf(other);
}

function rankOf({ verdict, checks }: RequirementReport): number {
  const rank = (CHECK_VERDICTS as readonly RequirementVerdict[]).indexOf(verdict);
  return checks.length === 0 || rank < 0 ? CHECK_VERDICTS.length : rank;
}
