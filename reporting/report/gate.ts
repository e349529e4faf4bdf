import { isPassConclusive } from '../../specs/catalogue/passing-evidence.ts';
import { type CheckNames, checkMatcher } from '../../specs/catalogue/patterns.ts';
import { isStale, type KnownFailure } from '../../specs/formats/baseline.ts';
import type { GateSettings, HeaderRecord } from '../../specs/formats/journal.ts';
import type { CheckReport, GateReport } from '../../specs/formats/report.ts';
import { similarName } from '../../specs/nearest-name.ts';
import { type CheckVerdict, isRed } from '../../specs/verdicts.ts';
import { joinNames, pluralize } from '../text/wording.ts';
import { type CheckFact, isJudged, isUndecided, plannedChecks } from './judged.ts';

type GatedCheck = CheckFact & Pick<CheckReport, 'requirement'>;
type CustomFact = Pick<CheckReport, 'id' | 'verdict' | 'executed'>;
type GateHeader = Pick<HeaderRecord, 'gate' | 'previous' | 'catalogue' | 'run'>;

const WITHOUT_BASELINE: GateSettings = { failOn: 'any', baseline: null, knownFailures: [] };

/**
 * The gate of a run; null if neither a baseline nor `--fail-on new` was given and no custom check matters. A pure function of the
 * journal. For the gate, custom checks count like required ones.
 */
export function judgeGate(
  header: GateHeader,
  checks: readonly GatedCheck[],
  interrupted: string | null,
  customChecks: readonly CustomFact[] = [],
): GateReport | null {
  const { previous, run } = header;
  const custom = customChecks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const openCustom = customChecks.filter(isUndecided).map(({ id }) => id);
  const gate = header.gate ?? (custom.length + openCustom.length > 0 ? WITHOUT_BASELINE : undefined);
  if (gate === undefined) return null;
  const verdicts = new Map(checks.map(({ id, verdict }) => [id, verdict]));
  const all = header.catalogue.requirements.flatMap(({ id: requirement, area, checks: own }) =>
    own.map(({ id }): CheckNames => ({ id, requirement, area })),
  );
  const entries = gate.knownFailures.map((entry) => {
    const isNamed = checkMatcher(entry.id);
    const named = all.filter(isNamed).map(({ id }) => ({ id, verdict: verdicts.get(id) }));
    const red = named.flatMap(({ id, verdict }) => (verdict && isRed({ verdict }) ? [id] : []));
    const conclusive = named.map(({ id, verdict }) =>
      verdict === 'pass' && !isPassConclusive(id, run, interrupted === null) ? undefined : verdict,
    );
    return { entry, named: conclusive, red };
  });
  const today = run.startedAt.slice(0, 10);
  const names = all.flatMap(({ id, requirement, area }) => [id, requirement, area]);
  const problems = entries.flatMap((each) => entryProblem(each, today, names) ?? []);
  const known = entries
    .filter(({ entry, red }) => red.length > 0 && !isExpired(entry, today))
    .map(({ entry, red }) => ({ ...entry, checks: red }));
  const covered = new Set(known.flatMap((entry) => entry.checks));
  const uncovered = checks.filter(({ id, verdict }) => verdict === 'fail' && !covered.has(id)).map(({ id }) => id);
  const redBefore = new Set((previous?.judged ?? []).filter(isRed).map(({ check }) => check));
  const isOld = (id: string) => gate.failOn === 'new' && redBefore.has(id);
  const parts = { notNew: uncovered.filter(isOld), failures: uncovered.filter((id) => !isOld(id)), problems, custom };
  const failed = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const accepted = acceptedParts(
    parts.notNew,
    [...covered].filter((id) => failed.has(id)),
  );
  const against = rejectedParts(parts, gate);
  const open = openParts(plannedChecks(checks, run.budget), new Set([...covered, ...parts.notNew]), interrupted);
  if (openCustom.length > 0)
    open.push(`${pluralize(openCustom.length, 'custom check')} could not be judged (${joinNames(openCustom)})`);
  const result = against.length > 0 ? 'failed' : open.length > 0 ? 'inconclusive' : 'passed';
  const reasons = { failed: against, inconclusive: [...open, ...accepted], passed: accepted }[result];
  return {
    result,
    reason: reasons.length === 0 ? 'no failure' : joinNames(reasons, reasons.length),
    failOn: gate.failOn,
    baseline: gate.baseline,
    known,
    ...parts,
  };
}

/** `gate passed`, `gate failed` or `gate inconclusive`. */
export function gateTitle({ result }: Pick<GateReport, 'result'>): string {
  return `gate ${result}`;
}

/** The failed checks that the gate accepts. */
export function acceptedFailures({ known, notNew }: Pick<GateReport, 'known' | 'notNew'>): ReadonlySet<string> {
  return new Set([...known.flatMap(({ checks }) => checks), ...notNew]);
}

interface JudgedEntry {
  readonly entry: KnownFailure;
  /** The verdicts of the checks that it names; undefined for checks that are not part of the run, or that it saw too little of. */
  readonly named: readonly (CheckVerdict | undefined)[];
  readonly red: readonly string[];
}

function entryProblem(
  { entry, named, red }: JudgedEntry,
  today: string,
  names: readonly string[],
): GateReport['problems'][number] | null {
  const { id, expires } = entry;
  if (named.length === 0)
    return {
      id,
      kind: 'matches-nothing',
      checks: [],
      text: `${id} names no check of this kit; ${adviceFor(id, names)}`,
    };
  if (isExpired(entry, today))
    return {
      id,
      kind: 'expired',
      checks: [...red],
      text: `${id} expired on ${expires}; correct the defect, or agree on a later date with ${entry.owner}`,
    };
  if (!isStale(entry, named)) return null;
  return { id, kind: 'passes', checks: [], text: `${id} passes now; remove the entry and close ${entry.issue}` };
}

function adviceFor(id: string, names: readonly string[]): string {
  const meant = similarName(id, names);
  return meant === undefined ? 'correct or remove the entry' : `did you mean ${meant}?`;
}

function isExpired({ expires }: KnownFailure, today: string): boolean {
  return expires < today;
}

function rejectedParts(
  { failures, problems, custom }: Pick<GateReport, 'failures' | 'problems' | 'custom'>,
  { failOn }: Pick<GateReport, 'failOn'>,
): string[] {
  const ofExpired = new Set(problems.filter(({ kind }) => kind === 'expired').flatMap(({ checks }) => checks));
  const others = failures.filter((id) => !ofExpired.has(id));
  const adjective = failOn === 'new' ? 'new ' : 'unknown ';
  const entries = joinNames(problems.map(({ id }) => id));
  return [
    ...(others.length === 0 ? [] : [`${pluralize(others.length, `${adjective}failure`)} (${joinNames(others)})`]),
    ...(problems.length === 0
      ? []
      : [`${problems.length} ${problems.length === 1 ? 'entry' : 'entries'} of the baseline to correct (${entries})`]),
    ...(custom.length === 0 ? [] : [`${pluralize(custom.length, 'failed custom check')} (${joinNames(custom)})`]),
  ];
}

function acceptedParts(notNew: readonly string[], covered: readonly string[]): string[] {
  const verb = notNew.length === 1 ? 'is' : 'are';
  return [
    ...(covered.length === 0 ? [] : [`${pluralize(covered.length, 'known failure')} (${joinNames(covered)})`]),
    ...(notNew.length === 0
      ? []
      : [`${pluralize(notNew.length, 'failure')} that ${verb} not new (${joinNames(notNew)})`]),
  ];
}

/** Why the gate cannot tell. The failures that it accepts count as judged, and so do the checks that they block. */
function openParts(checks: readonly CheckFact[], accepted: ReadonlySet<string>, interrupted: string | null): string[] {
  const rest = checks.filter(({ id, blockedBy }) => !accepted.has(id) && !accepted.has(blockedBy ?? ''));
  const open = rest.filter((check) => check.level === 'required' && isUndecided(check));
  return [
    ...(interrupted === null ? [] : [`the run was interrupted: ${interrupted}`]),
    ...(open.length === 0 ? [] : [`${pluralize(open.length, 'required check')} could not be judged`]),
    ...(open.length > 0 || interrupted !== null || checks.some(isJudged) ? [] : ['no check could be judged']),
  ];
}
