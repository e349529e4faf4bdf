import { createHash } from 'node:crypto';
import type { Requirement } from '../../specs/catalogue/requirement.ts';
import { derivationOf } from '../../specs/catalogue/requirement.ts';
import type { PreviousRun } from '../../specs/formats/journal.ts';
import type { Night } from '../../specs/formats/night.ts';
import type { Report } from '../../specs/formats/report.ts';
import { isRed } from '../../specs/verdicts.ts';
import { judgedChecks } from '../report/coverage.ts';
import { isUndecided, plannedChecks } from '../report/judged.ts';
import { groupUnjudged } from '../report/unjudged-groups.ts';

/** A run with its report. */
export interface LinkedNight {
  readonly night: Night;
  /** Address of its HTML report, relative to the page; null without one. */
  readonly report: string | null;
}

/** Enough to tell two texts of one check apart. */
const DIGEST_LENGTH = 12;

/** The part of a report that a history keeps. `requirements`: all of the kit that judged. */
export function nightOf(report: Report, requirements: readonly Requirement[]): Night {
  const { id, startedAt, finishedAt, seed, profile, filtered, budget, shard, interrupted } = report.run;
  const { name, baseUrl, implementation } = report.target;
  return {
    schemaVersion: 1,
    kit: report.kit,
    run: {
      id,
      startedAt,
      finishedAt,
      seed,
      profile,
      filtered,
      ...(budget !== undefined && { budget }),
      ...(shard && { shard }),
      ...(interrupted !== null && { interrupted }),
    },
    target: { name, baseUrl, ...(implementation && { implementation }) },
    catalogue: report.catalogue,
    verdict: report.verdict,
    exitCode: report.exitCode,
    checks: Object.fromEntries(
      report.checks
        .filter(({ executed, disturbed }) => executed && !disturbed)
        .map(({ id: check, verdict }) => [check, verdict]),
    ),
    consequences: consequencesOf(report),
    undecided: undecidedOf(report),
    digests: Object.fromEntries(requirements.flatMap(digestsOf)),
    observations: report.observations,
    operations: report.timings.operations,
  };
}

function consequencesOf({ checks }: Pick<Report, 'checks'>): string[] {
  const red = new Set<string | null>(checks.filter(isRed).map(({ id }) => id));
  return checks.filter(({ verdict, blockedBy }) => verdict === 'blocked' && red.has(blockedBy)).map(({ id }) => id);
}

function undecidedOf(report: Report): Night['undecided'] {
  const { interrupted } = report.run;
  const consequences = new Set(consequencesOf(report));
  const open = plannedChecks(report.checks, report.run.budget).filter(
    (check) => check.level === 'required' && isUndecided(check) && !consequences.has(check.id),
  );
  if (open.length === 0 && interrupted === null) return null;
  return { checks: open.length, reason: interrupted ?? groupUnjudged(open)[0]?.reason ?? '' };
}

function digestsOf({ checks, ...requirement }: Requirement): [string, string][] {
  const { level, statement } = requirement;
  return checks.map(({ id, title }) => {
    const text = JSON.stringify({ title, level, statement, rule: derivationOf(requirement, id)?.rule });
    return [id, createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH)];
  });
}

/**
 * The last run of a history (`nights`, oldest first), with the verdict of each check when it was last judged; null
 * for an empty history. A check that was blocked last night still has the verdict of the night before.
 */
export function lastJudged(nights: readonly Night[]): PreviousRun | null {
  const last = nights.at(-1);
  if (last === undefined) return null;
  const verdicts = new Map<string, PreviousRun['judged'][number]>();
  for (const { checks } of nights) {
    const judged = judgedChecks(Object.entries(checks).map(([id, verdict]) => ({ id, verdict })));
    for (const each of judged) verdicts.set(each.check, each);
  }
  return { id: last.run.id, startedAt: last.run.startedAt, judged: [...verdicts.values()] };
}
