import type { PreviousRun } from '../specs/journal.ts';
import type { Report } from '../specs/report.ts';
import { amount, enumerate, VERDICT_WORDS } from './wording.ts';

type Judged = PreviousRun['judged'];
type Coverage = NonNullable<Report['coverage']>;
type Lost = Coverage['lost'];
type Now = Pick<Report, 'checks' | 'excluded'>;

/** What two reports of one target say of the checks that the earlier one judged and the later one did not. */
export function coverageBetween(before: Report, now: Report): Coverage {
  return { previous: before.run.id, startedAt: before.run.startedAt, lost: lostSince(judgedIn(before.checks), now) };
}

/** The checks that were put to the test, with the verdict of each. */
export function judgedIn(checks: readonly { id: string; verdict: string }[]): Judged {
  return checks.flatMap(({ id, verdict }) =>
    verdict === 'pass' || verdict === 'warn' || verdict === 'fail' ? [{ check: id, verdict }] : [],
  );
}

/** Those of the checks judged before that are not judged now, each with the reason. */
export function lostSince(before: Judged, { checks, excluded }: Now): Lost {
  const present = new Map(checks.map((check) => [check.id, check]));
  const reasons = new Map(excluded.map(({ check, reason }) => [check, reason]));
  return before.flatMap(({ check: id, verdict }): Lost => {
    const check = present.get(id);
    if (!check) {
      const reason = reasons.get(id) ?? 'it is not part of this run';
      return [{ check: id, before: verdict, now: 'not-selected', reason }];
    }
    const { verdict: now, reason } = check;
    return now === 'pass' || now === 'warn' || now === 'fail' ? [] : [{ check: id, before: verdict, now, reason }];
  });
}

/** Without the checks that a profile or a filter left out on purpose: the verdict says already what it covers. */
export function unexpectedlyLost({ coverage, excluded }: Pick<Report, 'coverage' | 'excluded'>): Lost {
  const forbidden = new Set(excluded.map(({ check }) => check));
  const isChosen = ({ check, now }: Lost[number]) => now !== 'not-selected' || forbidden.has(check);
  return (coverage?.lost ?? []).filter(isChosen);
}

/** A line for each verdict that such checks had, as `3 checks passed last time and were not judged now: A (blocked), …`. */
export function coverageLines(report: Pick<Report, 'coverage' | 'excluded'>): string[] {
  const lost = unexpectedlyLost(report);
  return Object.entries(SAID).flatMap(([verdict, said]) => {
    const those = lost.filter(({ before }) => before === verdict);
    const names = those.map(({ check, now }) => `${check} (${VERDICT_WORDS[now]})`);
    const were = those.length === 1 ? 'was' : 'were';
    if (those.length === 0) return [];
    return [`${amount(those.length, 'check')} ${said} last time and ${were} not judged now: ${enumerate(names)}`];
  });
}

const SAID = { fail: 'failed', warn: 'had a warning', pass: 'passed' };
