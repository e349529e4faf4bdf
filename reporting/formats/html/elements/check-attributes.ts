import type { CheckReport } from '../../../../specs/report.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { escapeToSingleLine, truncate } from '../../../text/escape-control-characters.ts';

/**
 * The place with the most about a check. The row among the requirements has the id of the check itself, so that a link stays valid when
 * the failure is corrected.
 */
export function anchorOf({ id, verdict }: Pick<CheckReport, 'id' | 'verdict'>): string {
  return verdict === 'pass' || verdict === 'not-applicable' ? id : `failure-${id}`;
}

/** The data attributes of a check that the filter reads. */
export function filterAttributes(check: CheckReport, view: ReportView) {
  const requirement = view.requirementOf(check);
  const words = [
    check.id,
    check.title,
    requirement?.area,
    requirement?.statement,
    check.reason,
    check.actual,
    check.blockedBy,
  ];
  const text = truncate(escapeToSingleLine(words.filter(Boolean).join(' ')), 1000).toLowerCase();
  return { 'data-item': true, 'data-verdict': check.verdict, 'data-level': check.level, 'data-text': text };
}
