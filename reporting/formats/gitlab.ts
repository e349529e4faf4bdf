import { createHash } from 'node:crypto';
import type { CheckReport, Report } from '../../specs/report.ts';
import { isRed } from '../../specs/verdicts.ts';
import { escapeJson } from '../text/escape-control-characters.ts';

/** A code-quality report of GitLab, so that a merge request shows new and fixed failures. The path is the requirement. */
export function* gitlabPieces({ checks }: Report): Generator<string, void, undefined> {
  const findings = checks.filter(isRed).map(finding);
  yield `${escapeJson(JSON.stringify(findings, null, 2))}\n`;
}

function finding({ id, requirement, title, verdict, expected, actual }: CheckReport) {
  return {
    check_name: id,
    description: `${id} ${title}. Expected: ${expected}. Actual: ${actual}`,
    severity: verdict === 'fail' ? 'major' : 'minor',
    // Without texts of the server, so that the same failure has the same fingerprint in every run.
    fingerprint: createHash('sha256').update(id).digest('hex'),
    location: { path: `requirements/${requirement}`, lines: { begin: 1 } },
  };
}
