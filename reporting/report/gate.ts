import { isStale, type KnownFailure } from '../../specs/baseline.ts';
import { type CheckNames, checkMatcher } from '../../specs/catalogue/patterns.ts';
import type { HeaderRecord } from '../../specs/journal.ts';
import type { CheckReport, GateReport } from '../../specs/report.ts';
import { type CheckVerdict, isRed } from '../../specs/verdicts.ts';
import { joinNames, pluralize } from '../text/wording.ts';

type GatedCheck = Pick<CheckReport, 'id' | 'requirement' | 'verdict'>;
type GateHeader = Pick<HeaderRecord, 'gate' | 'previous' | 'catalogue' | 'run'>;

/** The gate of a run; null if neither a baseline nor `--fail-on new` was given. A pure function of the journal. */
export function judgeGate(header: GateHeader, checks: readonly GatedCheck[]): GateReport | null {
  const { gate, previous, run } = header;
  if (gate === undefined) return null;
  const verdicts = new Map(checks.map(({ id, verdict }) => [id, verdict]));
  const all = header.catalogue.requirements.flatMap(({ id: requirement, area, checks: own }) =>
    own.map(({ id }): CheckNames => ({ id, requirement, area })),
  );
  const entries = gate.knownFailures.map((entry) => {
    const isNamed = checkMatcher(entry.id);
    const named = all.filter(isNamed).map(({ id }) => ({ id, verdict: verdicts.get(id) }));
    const red = named.flatMap(({ id, verdict }) => (verdict && isRed({ verdict }) ? [id] : []));
    return { entry, named: named.map(({ verdict }) => verdict), red };
  });
  const today = run.startedAt.slice(0, 10);
  const problems = entries.flatMap((each) => entryProblem(each, today) ?? []);
  const known = entries
    .filter(({ entry, red }) => red.length > 0 && !isExpired(entry, today))
    .map(({ entry, red }) => ({ ...entry, checks: red }));
  const covered = new Set(known.flatMap((entry) => entry.checks));
  const uncovered = checks.filter(({ id, verdict }) => verdict === 'fail' && !covered.has(id)).map(({ id }) => id);
  const redBefore = new Set((previous?.judged ?? []).filter(isRed).map(({ check }) => check));
  const isOld = (id: string) => gate.failOn === 'new' && redBefore.has(id);
  const parts = { notNew: uncovered.filter(isOld), failures: uncovered.filter((id) => !isOld(id)), problems };
  const failed = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  return {
    passed: parts.failures.length === 0 && problems.length === 0,
    reason: gateReason(
      parts,
      [...covered].filter((id) => failed.has(id)),
      gate,
    ),
    failOn: gate.failOn,
    baseline: gate.baseline,
    known,
    ...parts,
  };
}

/** `gate passed` or `gate failed`. */
export function gateTitle({ passed }: Pick<GateReport, 'passed'>): string {
  return passed ? 'gate passed' : 'gate failed';
}

/** The failed checks that the gate accepts. */
export function acceptedFailures({ known, notNew }: Pick<GateReport, 'known' | 'notNew'>): ReadonlySet<string> {
  return new Set([...known.flatMap(({ checks }) => checks), ...notNew]);
}

interface JudgedEntry {
  readonly entry: KnownFailure;
  /** The verdicts of the checks that it names; undefined for checks that are not part of the run. */
  readonly named: readonly (CheckVerdict | undefined)[];
  readonly red: readonly string[];
}

function entryProblem({ entry, named }: JudgedEntry, today: string): GateReport['problems'][number] | null {
  const { id, expires } = entry;
  if (named.length === 0)
    return { id, kind: 'matches-nothing', text: `${id} names no check of this kit; correct or remove the entry` };
  if (isExpired(entry, today))
    return {
      id,
      kind: 'expired',
      text: `${id} expired on ${expires}; correct the defect, or agree on a later date with ${entry.owner}`,
    };
  if (!isStale(entry, named)) return null;
  return { id, kind: 'passes', text: `${id} passes now; remove the entry and close ${entry.issue}` };
}

function isExpired({ expires }: KnownFailure, today: string): boolean {
  return expires < today;
}

function gateReason(
  { notNew, failures, problems }: Pick<GateReport, 'notNew' | 'failures' | 'problems'>,
  covered: readonly string[],
  { failOn }: Pick<GateReport, 'failOn'>,
): string {
  const adjective = failOn === 'new' ? 'new ' : 'unknown ';
  const against = [
    ...(failures.length === 0 ? [] : [`${pluralize(failures.length, `${adjective}failure`)} (${joinNames(failures)})`]),
    ...(problems.length === 0
      ? []
      : [
          `${problems.length} ${problems.length === 1 ? 'entry' : 'entries'} of the baseline to correct (${joinNames(problems.map(({ id }) => id))})`,
        ]),
  ];
  const accepted = [
    ...(covered.length === 0 ? [] : [`${pluralize(covered.length, 'known failure')} (${joinNames(covered)})`]),
    ...(notNew.length === 0
      ? []
      : [
          `${pluralize(notNew.length, 'failure')} that ${notNew.length === 1 ? 'is' : 'are'} not new (${joinNames(notNew)})`,
        ]),
  ];
  if (against.length > 0) return joinNames(against, against.length);
  return accepted.length === 0 ? 'no failure' : joinNames(accepted, accepted.length);
}
