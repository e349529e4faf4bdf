import type { CheckReport } from '../../../../specs/report.ts';
import { escapeToSingleLine, truncate } from '../../../text/escape-control-characters.ts';

const MAX_WORDS_LENGTH = 300;

/**
 * The place with the most about a check. The row among the requirements has the id of the check itself, so that a link stays valid when
 * the failure is corrected.
 */
export function anchorOf({ id, verdict }: Pick<CheckReport, 'id' | 'verdict'>): string {
  return verdict === 'pass' || verdict === 'not-applicable' ? id : `failure-${id}`;
}

/** The data attributes of a check that the filter reads, beside its text: `data-words` are words that it does not show. */
export function filterAttributes({ verdict, level, reason, blockedBy }: CheckReport) {
  const words = truncate(escapeToSingleLine([reason, blockedBy].filter(Boolean).join(' ')), MAX_WORDS_LENGTH);
  return {
    'data-item': true,
    'data-verdict': verdict,
    'data-level': level,
    ...(words !== '' && { 'data-words': words }),
  };
}
