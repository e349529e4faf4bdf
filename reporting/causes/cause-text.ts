import type { Cause, Report } from '../../specs/report.ts';
import { pluralize } from '../text/wording.ts';

/** `It explains 9 of 12 failures; 2 checks that it usually breaks passed.` */
export function confidenceText({ explains, contradictedBy }: Cause, failures: number): string {
  const explained = `It explains ${explains.length} of ${pluralize(failures, 'failure')}`;
  if (contradictedBy.length === 0) return `${explained}, and nothing contradicts it.`;
  return `${explained}; ${pluralize(contradictedBy.length, 'check')} that it usually breaks passed.`;
}

/** `IDEM-01, like this known defect: A repeated requestId creates a second invoice.` */
export function causeText({ requirement, sentence, fault }: Cause): string {
  return fault === null
    ? `${requirement}, not like a known defect. ${sentence}`
    : `${requirement}, like this known defect: ${sentence}`;
}

/** `Most likely one defect`, `Most likely 3 defects`, `No known defect explains these`. */
export function causesTitle(causes: readonly Cause[]): string {
  if (causes.length === 0) return 'No known defect explains these';
  return `Most likely ${causes.length === 1 ? 'one defect' : pluralize(causes.length, 'defect')}`;
}

/** The number of failures and warnings, which the causes explain. */
export function countFailures({ summary }: Pick<Report, 'summary'>): number {
  return summary.checks.fail + summary.checks.warn;
}
