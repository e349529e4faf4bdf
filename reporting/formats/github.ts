import type { Report } from '../../specs/formats/report.ts';
import { acceptedFailures } from '../report/gate.ts';
import { escapeForLog, escapeToSingleLine, truncate } from '../text/escape-control-characters.ts';
import { pluralize } from '../text/wording.ts';

/** GitHub shows ten annotations per step. */
const MAX_ANNOTATIONS = 10;
const MAX_LENGTH = 500;

/** Workflow commands of GitHub Actions, one line for each cause and each failure without a cause. */
export function githubAnnotations({ causes, unexplained, checks, gate }: Report): string[] {
  const accepted = gate === null ? new Set<string>() : acceptedFailures(gate);
  const failures = [...causes.map(({ startWith }) => startWith), ...unexplained];
  return failures.slice(0, MAX_ANNOTATIONS).flatMap((id) => {
    const check = checks.find((each) => each.id === id);
    if (!check) return [];
    const kind = accepted.has(id) ? 'notice' : check.verdict === 'fail' ? 'error' : 'warning';
    const cause = causes.find(({ startWith }) => startWith === id);
    const also =
      cause && cause.explains.length > 1
        ? ` Probably also the cause of ${pluralize(cause.explains.length - 1, 'other failure')}.`
        : '';
    const text = `Expected: ${check.expected}. Actual: ${check.actual}.${also}`;
    return [`::${kind} title=${escapeProperty(`${check.id} ${check.title}`)}::${escapeData(text)}`];
  });
}

function escapeData(text: string): string {
  return truncate(escapeForLog(escapeToSingleLine(text)), MAX_LENGTH)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
