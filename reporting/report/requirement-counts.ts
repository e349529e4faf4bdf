import type { Report, RequirementReport } from '../../specs/formats/report.ts';
import { groupBy } from '../text/group-by.ts';
import { pluralize, VERDICT_LABELS } from '../text/wording.ts';

/** The verdict of a requirement in words. Tells a requirement without checks from one whose checks are not applicable. */
export function requirementLabel({ level, verdict, checks }: RequirementReport): string {
  if (level === 'observed') return 'recorded only';
  return verdict === 'not-applicable' && checks.length === 0 ? 'not testable' : VERDICT_LABELS[verdict];
}

/** `145 requirements: 113 passed, 1 failed, 11 recorded only, 20 not applicable`. The counts add up. */
export function requirementCounts({ requirements }: Pick<Report, 'requirements'>): string {
  const kinds = groupBy(requirements, requirementLabel);
  const parts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`);
  return `${pluralize(requirements.length, 'requirement')}: ${parts.join(', ')}`;
}
