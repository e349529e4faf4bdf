import type { Cause, Report } from '../../specs/report.ts';
import { pluralize } from '../text/wording.ts';

/** `The server breaks IDEM-01: A repeated requestId returns the first response.` */
export function causeText({ requirement, statement, proven }: Cause): string {
  return `The server ${proven ? 'breaks' : 'probably breaks'} ${requirement}: ${statement}`;
}

/** `A known defect has the same failures: The requestId is not stored. It explains 9 of 12 failures, and nothing contradicts it.` */
export function explanationText(cause: Cause, failures: number): string {
  return [exampleText(cause), confidenceText(cause, failures), doubtText(cause)].filter(Boolean).join(' ');
}

/** `It explains 9 of 12 failures; 2 checks that usually fail with this defect passed.` */
function confidenceText({ example, explains, contradictedBy, blocks }: Cause, failures: number): string {
  const blocked = blocks === 0 ? '' : ` It blocks ${pluralize(blocks, 'other check')}.`;
  const explained = `explains ${explains.length} of ${pluralize(failures, 'failure')}`;
  if (example === null) return `This ${explained}.${blocked}`;
  if (contradictedBy.length === 0) return `It ${explained}, and nothing contradicts it.${blocked}`;
  return `It ${explained}; ${pluralize(contradictedBy.length, 'check')} that usually ${contradictedBy.length === 1 ? 'fails' : 'fail'} with this defect passed.${blocked}`;
}

/** `A known defect has the same failures: The requestId is not stored.` Empty if no defect is known. */
export function exampleText({ example, contradictedBy }: Cause): string {
  if (example === null) return '';
  return `A known defect has ${contradictedBy.length === 0 ? 'the same' : 'similar'} failures: ${example}`;
}

/** `Or the target file is wrong: if this key was never revoked, correct actors.revoked.` Empty if nothing suggests it. */
export function doubtText({ targetFile }: Cause): string {
  return targetFile === null ? '' : `Or the target file is wrong: ${targetFile}.`;
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
