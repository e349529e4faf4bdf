import { appendFileSync } from 'node:fs';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { githubAnnotations } from '../../reporting/formats/github.ts';
import type { Report } from '../../specs/formats/report.ts';
import type { OutputFormat } from '../options/formats-option.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The formats that the user wants, and on GitLab CI the code-quality report. */
export function formatsFor(wanted: readonly OutputFormat[], env: Environment = process.env): OutputFormat[] {
  const isGitlab = env.GITLAB_CI === 'true' && !wanted.includes('gitlab');
  return isGitlab ? [...wanted, 'gitlab'] : [...wanted];
}

/**
 * On GitHub Actions, appends the summary to the job page and returns the annotations as lines for stdout. A summary that cannot be
 * written is reported by a warning, because the verdict does not depend on it.
 */
export function githubLines(report: Report, env: Environment = process.env): string[] {
  if (env.GITHUB_ACTIONS !== 'true') return [];
  const lines = githubAnnotations(report);
  const page = env.GITHUB_STEP_SUMMARY;
  if (page === undefined || page === '') return lines;
  try {
    appendFileSync(page, renderReport(formats.markdown, report));
    return lines;
  } catch (error) {
    return [...lines, `::warning::The summary cannot be written to GITHUB_STEP_SUMMARY (${systemErrorCode(error)}).`];
  }
}
