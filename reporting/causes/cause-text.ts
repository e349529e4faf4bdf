import type { Cause, Report } from '../../specs/formats/report.ts';
import { joinNames, pluralize } from '../text/wording.ts';

/**
 * `The server breaks IDEM-01: A repeated requestId returns the first response.`, or, if only other requirements fail, `LIFE-01 fails,
 * probably because the server breaks LIFE-04: …`. A field of the target file that may be the cause comes first.
 */
export function causeText(cause: Cause): string {
  const breach = breachText(cause);
  return cause.targetFile === null ? breach : `${doubtText(cause)}Otherwise ${breach.replace(/^The/, 'the')}`;
}

/** `Check the target file first: if this key was never revoked, correct actors.revoked. ` Empty if nothing suggests it. */
export function doubtText({ targetFile }: Cause): string {
  return targetFile === null ? '' : `Check the target file first: ${targetFile}. `;
}

function breachText({ requirement, rule, proven, explains }: Cause): string {
  if (proven) return `The server breaks ${requirement}: ${rule}`;
  const others = [...new Set(explains.map((id) => id.split('.', 1)[0] ?? ''))].filter((id) => id !== requirement);
  if (others.length === 0) return `The server probably breaks ${requirement}: ${rule}`;
  const failing = `${joinNames(others)} ${others.length === 1 ? 'fails' : 'fail'}`;
  return `${failing}, probably because the server breaks ${requirement}: ${rule}`;
}

/** `A typical mistake with the same failures: “The requestId is not stored.” This explains 9 of 12 failures.` */
export function explanationText(cause: Cause, report: Pick<Report, 'summary'>): string {
  return [exampleText(cause), confidenceText(cause, report)].filter(Boolean).join(' ');
}

/** `This explains 9 of 12 failures; 2 checks that usually fail with this mistake passed. It blocks 4 other checks.` */
function confidenceText({ example, explains, contradictedBy, blocks }: Cause, report: Pick<Report, 'summary'>): string {
  const passed = pluralize(contradictedBy.length, 'check');
  const usually = contradictedBy.length === 1 ? 'fails' : 'fail';
  const contradicted =
    example === null || contradictedBy.length === 0
      ? ''
      : `; ${passed} that usually ${usually} with this mistake passed`;
  const blocked = blocks === 0 ? '' : ` It blocks ${pluralize(blocks, 'other check')}.`;
  return `This explains ${explains.length} of ${countedText(report)}${contradicted}.${blocked}`;
}

/** `12 failures and warnings`. */
function countedText(report: Pick<Report, 'summary'>): string {
  const { fail, warn } = report.summary.checks;
  if (fail > 0 && warn > 0) return `${fail + warn} failures and warnings`;
  return failuresText(report);
}

/** `A typical mistake with the same failures: “The requestId is not stored.”` Empty if no known defect is named. */
export function exampleText({ example, contradictedBy }: Cause): string {
  if (example === null) return '';
  return `A typical mistake with ${contradictedBy.length === 0 ? 'the same' : 'similar'} failures: “${example}”`;
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
