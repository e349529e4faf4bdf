import type { CheckReport } from '../../../../specs/formats/report.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { escapeToSingleLine, truncate } from '../../../text/escape-control-characters.ts';

const MAX_WORDS_LENGTH = 400;

/**
 * The place with the most about a check. The row among the requirements has the id of the check itself, so that a link stays valid when
 * the failure is corrected.
 */
export function anchorOf({ id, verdict }: Pick<CheckReport, 'id' | 'verdict'>): string {
  return verdict === 'pass' || verdict === 'not-applicable' ? id : `failure-${id}`;
}

/** The data attributes of a check that the filter reads. `data-words` are words in addition to its id and title. */
export function filterAttributes(check: CheckReport, view: ReportView) {
  const requirement = view.requirementOf(check);
  const isPlain = check.verdict === 'pass' || check.verdict === 'not-applicable';
  const words = isPlain ? [] : [requirement?.area, requirement?.statement, check.blockedBy, check.reason];
  const text = truncate(escapeToSingleLine(words.filter(Boolean).join(' ')), MAX_WORDS_LENGTH);
  return {
    'data-item': check.id,
    'data-verdict': check.verdict,
    'data-level': check.level,
    ...(text !== '' && { 'data-words': text }),
  };
}
