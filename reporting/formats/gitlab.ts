import { createHash } from 'node:crypto';
import type { CheckReport, Report } from '../../specs/formats/report.ts';
import { isRed } from '../../specs/verdicts.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { escapeJson } from '../text/escape-control-characters.ts';
import { knownFailureText } from '../text/wording.ts';

/** A code-quality report of GitLab, so that a merge request shows new and fixed failures. The path is the requirement. */
export function* gitlabPieces(report: Report): Generator<string, void, undefined> {
  const view = createReportView(report);
  const findings = report.checks.filter(isRed).map((check) => finding(check, view));
  yield `${escapeJson(JSON.stringify(findings, null, 2))}\n`;
}

function finding(check: CheckReport, view: ReportView) {
  const { id, requirement, title, verdict, expected, actual } = check;
  const known = view.knownFailure(check);
  const prefix = known ? `${knownFailureText(known)}. ` : '';
  return {
    check_name: id,
    description: `${prefix}${id} ${title}. Expected: ${expected}. Actual: ${actual}`,
    severity: view.isAccepted(check) ? 'info' : verdict === 'fail' ? 'major' : 'minor',
    // Without texts of the server, so that the same failure has the same fingerprint in every run.
    fingerprint: createHash('sha256').update(id).digest('hex'),
    location: { path: `requirements/${requirement}`, lines: { begin: 1 } },
  };
}
