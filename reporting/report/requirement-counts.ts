import type { Report } from '../../specs/report.ts';
import { groupBy } from '../text/group-by.ts';
import { pluralize, VERDICT_LABELS } from '../text/wording.ts';

/** `145 requirements: 113 passed, 1 failed, 11 recorded only, 20 not applicable`. The counts add up. */
export function requirementCounts({ requirements }: Pick<Report, 'requirements'>): string {
  const kinds = groupBy(requirements, ({ level, verdict }) =>
    level === 'observed' ? 'recorded only' : VERDICT_LABELS[verdict],
  );
  const parts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`);
  return `${pluralize(requirements.length, 'requirement')}: ${parts.join(', ')}`;
}
