import type { PreviousRun } from '../../specs/formats/journal.ts';
import type { Report } from '../../specs/formats/report.ts';
import { isRed } from '../../specs/verdicts.ts';
import { joinNames, pluralize, VERDICT_LABELS } from '../text/wording.ts';

type JudgedChecks = PreviousRun['judged'];
type Coverage = NonNullable<Report['coverage']>;
type LostChecks = Coverage['lost'];
type CurrentRun = Pick<Report, 'checks' | 'excluded'>;

/** The checks that the earlier of two reports of one target judged and the later one did not. */
export function compareCoverage(before: Report, now: Report): Coverage {
  return {
    previous: before.run.id,
    startedAt: before.run.startedAt,
    ...compareChecks(judgedChecks(before.checks), now),
  };
}

/** The checks of an earlier run that this run lost, broke or fixed. */
export function compareChecks(before: JudgedChecks, now: CurrentRun): Pick<Coverage, 'lost' | 'newFailures' | 'fixed'> {
  const verdicts = new Map(now.checks.map(({ id, verdict }) => [id, verdict]));
  const judgedAgain = before.flatMap(({ check, verdict }) => {
    const found = verdicts.get(check);
    return found === undefined ? [] : [{ check, wasRed: isRed({ verdict }), verdict: found }];
  });
  return {
    lost: lostChecks(before, now),
    newFailures: judgedAgain.filter((each) => !each.wasRed && isRed(each)).map(({ check }) => check),
    fixed: judgedAgain.filter(({ wasRed, verdict }) => wasRed && verdict === 'pass').map(({ check }) => check),
  };
}

/** `2 new failures: A and B`, `1 new warning: C`, `1 fixed: D`. Empty without a previous run, or without a change. */
export function changeLines({ coverage, checks }: Pick<Report, 'coverage' | 'checks'>): string[] {
  if (coverage === null) return [];
  const { newFailures, fixed } = coverage;
  const warned = new Set(checks.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id));
  const countNew = (noun: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${pluralize(ids.length, `new ${noun}`)}: ${joinNames(ids)}`];
  const failed = newFailures.filter((id) => !warned.has(id));
  return [
    ...countNew('failure', failed),
    ...countNew(
      'warning',
      newFailures.filter((id) => warned.has(id)),
    ),
    ...(fixed.length === 0 ? [] : [`${fixed.length} fixed: ${joinNames(fixed)}`]),
  ];
}

/** The checks that passed, warned or failed, each with its verdict. */
export function judgedChecks(checks: readonly { id: string; verdict: string }[]): JudgedChecks {
  return checks.flatMap(({ id, verdict }) =>
    verdict === 'pass' || verdict === 'warn' || verdict === 'fail' ? [{ check: id, verdict }] : [],
  );
}

/** The checks of an earlier run that this run did not judge, each with the reason. */
export function lostChecks(before: JudgedChecks, { checks, excluded }: CurrentRun): LostChecks {
  const present = new Map(checks.map((check) => [check.id, check]));
  const reasons = new Map(excluded.map(({ check, reason }) => [check, reason]));
  return before.flatMap(({ check: id, verdict }): LostChecks => {
    const check = present.get(id);
    if (!check) {
      const reason = reasons.get(id) ?? 'the check is not part of this run';
      return [{ check: id, before: verdict, now: 'not-selected', reason }];
    }
    const { verdict: now, reason } = check;
    return now === 'pass' || now === 'warn' || now === 'fail' ? [] : [{ check: id, before: verdict, now, reason }];
  });
}

/** Lost checks, without those that a profile or a filter left out: the headline already states that scope. */
export function unexpectedlyLostChecks({ coverage, excluded }: Pick<Report, 'coverage' | 'excluded'>): LostChecks {
  const forbidden = new Set(excluded.map(({ check }) => check));
  const isChosen = ({ check, now }: LostChecks[number]) => now !== 'not-selected' || forbidden.has(check);
  return (coverage?.lost ?? []).filter(isChosen);
}

/** A line for each verdict that such checks had, such as `3 checks passed in the previous run and were not judged in this run: A (blocked), …`. */
export function coverageLines(report: Pick<Report, 'coverage' | 'excluded'>): string[] {
  const lost = unexpectedlyLostChecks(report);
  return Object.entries(VERDICT_PHRASES).flatMap(([verdict, said]) => {
    const those = lost.filter(({ before }) => before === verdict);
    const names = those.map(({ check, now }) => `${check} (${VERDICT_LABELS[now]})`);
    const were = those.length === 1 ? 'was' : 'were';
    if (those.length === 0) return [];
    return [
      `${pluralize(those.length, 'check')} ${said} in the previous run and ${were} not judged in this run: ${joinNames(names)}`,
    ];
  });
}

const VERDICT_PHRASES = { fail: 'failed', warn: 'had a warning', pass: 'passed' };
