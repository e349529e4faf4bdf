import type { CustomAreaReport, CustomCheckReport } from '../../specs/formats/report.ts';
import { CHECK_VERDICTS, type CheckVerdict } from '../../specs/verdicts.ts';
import type { JournalIndex } from '../journal/journal-index.ts';
import { MAX_TEXT_LENGTH, truncate } from '../text/escape-control-characters.ts';
import { VERDICT_LABELS } from '../text/wording.ts';
import { worstVerdict } from './verdict.ts';

/** The custom checks of a run, by area, in the order of their files. The verdict of the run does not depend on them. */
export function reportCustomAreas({ header, customResults, summaries }: JournalIndex): CustomAreaReport[] {
  return (header.custom ?? []).map(({ area, requirements }) => ({
    area,
    requirements: requirements.map(({ id, place, statement, checks: described }) => {
      const checks = described.map((check): CustomCheckReport => {
        const result = customResults.get(check.id);
        return {
          ...check,
          verdict: result?.verdict ?? 'blocked',
          executed: result !== undefined,
          reason: truncate(result?.reason ?? 'not executed: the run ended before it', MAX_TEXT_LENGTH),
          expected: truncate(result?.expected ?? '', MAX_TEXT_LENGTH),
          actual: truncate(result?.actual ?? '', MAX_TEXT_LENGTH),
          blockedBy: result?.blockedBy ?? null,
          durationMs: result?.durationMs ?? 0,
          exchanges: summaries.inOrder(result?.exchanges ?? []),
          decisive: [...(result?.decisive ?? [])],
        };
      });
      return { id, place, statement, verdict: worstVerdict(checks.map(({ verdict }) => verdict)), checks };
    }),
  }));
}

export function customChecksOf(areas: readonly CustomAreaReport[]): CustomCheckReport[] {
  return areas.flatMap(({ requirements }) => requirements.flatMap(({ checks }) => checks));
}

/** `custom checks: partner-portal`, the name of the suite in the formats of other tools. */
export function customSuiteName(area: string): string {
  return `custom checks: ${area}`;
}

/** An error of a custom check is a mistake of its author, not of the kit. */
export function customVerdictLabel(verdict: CheckVerdict): string {
  return verdict === 'error' ? 'check error' : VERDICT_LABELS[verdict];
}

/** `1 failed, 3 passed`. */
export function countCustomVerdicts({ requirements }: CustomAreaReport, separator: string): string {
  const checks = requirements.flatMap((each) => each.checks);
  return CHECK_VERDICTS.flatMap((verdict) => {
    const count = checks.filter((check) => check.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${customVerdictLabel(verdict)}`];
  }).join(separator);
}
