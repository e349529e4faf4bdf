import type { Cause, Report } from '../../specs/report.ts';
import { pluralize } from '../text/wording.ts';

/** `It explains 9 of 12 failures; 2 checks that usually fail with this defect passed.` */
export function confidenceText({ explains, contradictedBy, blocks }: Cause, failures: number): string {
  const explained = `It explains ${explains.length} of ${pluralize(failures, 'failure')}`;
  const blocked = blocks === 0 ? '' : ` It blocks ${pluralize(blocks, 'other check')}.`;
  if (contradictedBy.length === 0) return `${explained}, and nothing contradicts it.${blocked}`;
  return `${explained}; ${pluralize(contradictedBy.length, 'check')} that usually ${contradictedBy.length === 1 ? 'fails' : 'fail'} with this defect passed.${blocked}`;
}

/** `IDEM-01 fails like a known defect: A repeated requestId creates a second invoice.` */
export function causeText({ requirement, sentence, fault, contradictedBy }: Cause): string {
  if (fault === null) return `${requirement} matches no known defect. ${sentence}`;
  return `${requirement} ${contradictedBy.length === 0 ? 'fails like' : 'resembles'} a known defect: ${sentence}`;
}

/** `Most likely one defect`, `The 3 most likely defects`, `No known defect explains these`. */
export function causesTitle(causes: readonly Cause[]): string {
  if (causes.length === 0) return 'No known defect explains these';
  return causes.length === 1 ? 'Most likely one defect' : `The ${causes.length} most likely defects`;
}

/** `46 failures and 5 warnings`. */
export function failuresText({ summary }: Pick<Report, 'summary'>): string {
  const { fail, warn } = summary.checks;
  if (warn === 0) return pluralize(fail, 'failure');
  return fail === 0 ? pluralize(warn, 'warning') : `${pluralize(fail, 'failure')} and ${pluralize(warn, 'warning')}`;
}

/** The number of failures and warnings, which the causes explain. */
export function countFailures({ summary }: Pick<Report, 'summary'>): number {
  return summary.checks.fail + summary.checks.warn;
}
