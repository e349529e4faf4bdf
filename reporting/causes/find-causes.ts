import { derivationOf } from '../../specs/catalogue/requirement.ts';
import { type Signature, statusOfActual } from '../../specs/fault-signatures.ts';
import type { Cause, CheckReport, Report } from '../../specs/formats/report.ts';
import { isRed } from '../../specs/verdicts.ts';

export interface Diagnosis {
  /** The most important first; at most five. */
  readonly causes: Cause[];
  /** Ids of the failures that no cause explains. */
  readonly unexplained: string[];
}

/** More causes would be a list of failures again. */
export const MAX_CAUSES = 5;

/** A failure of the requirement that a defect breaks. */
const OWN_WEIGHT = 1;
/** A failure of another requirement that the known defect causes. */
const OTHER_WEIGHT = 0.5;
/** A failure of that requirement that the known defect does not cause. */
const UNMATCHED_WEIGHT = 0.6;
/** A check that passed although the known defect breaks it. */
const MISMATCH_WEIGHT = 0.2;
/** A failure that the known defect causes with the same status of the deciding response; subtracted for another status. */
const STATUS_WEIGHT = 0.1;
/** A check that a failure blocks. A defect that keeps much from being judged is the first one to fix. */
const BLOCKED_WEIGHT = 0.1;
/** Decides between known defects of one requirement. */
const MATCH_WEIGHT = 0.01;

type JudgedCheck = Pick<
  CheckReport,
  'id' | 'requirement' | 'verdict' | 'actual' | 'reason' | 'blockedBy' | 'exchanges' | 'reproduction'
>;
/** More than the length of any script. */
const WITHOUT_SCRIPT = 1_000_000;

type RequirementOfRun = Pick<Report['requirements'][number], 'id' | 'area' | 'statement' | 'derived'>;

export interface JudgedRun {
  readonly checks: readonly JudgedCheck[];
  readonly requirements: readonly RequirementOfRun[];
}

/**
 * The smallest set of defects that explains the failures and warnings of a run, found greedily: each cause is the defect that explains
 * most of what the earlier ones do not. Failures that break one sentence of the contract have one cause. Ids that a signature names and the run does not
 * contain are ignored.
 */
export function findCauses(run: JudgedRun, signatures: readonly Signature[]): Diagnosis {
  const left = new Map(run.checks.filter(isRed).map((check) => [check.id, check]));
  const passed = new Set(run.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const selected = new Set(run.checks.map(({ id }) => id));
  const blocks = countBlocked(run.checks);
  const causes: Cause[] = [];
  while (left.size > 0 && causes.length < MAX_CAUSES) {
    const all = candidates({ left: [...left.values()], passed, selected, blocks }, signatures);
    const [best] = all;
    if (!best) break;
    const requirement = run.requirements.find(({ id }) => id === best.requirement);
    const own = best.explained.filter(
      (check) => breaksSameSentence(check, best, requirement) || !hasOwnCause(check, best, all),
    );
    const doubt = sharedDoubt(own);
    // One wrong field of the target file would cause all of these failures.
    const explained = best.explained.filter(
      (check) => own.includes(check) || (doubt !== null && hasDoubt(check, doubt)),
    );
    for (const { id } of explained) left.delete(id);
    causes.push(describeCause({ ...best, explained }, all, run, blocks));
  }
  return { causes, unexplained: [...left.keys()] };
}

/** Whether a failure breaks a sentence that failures of the known defect break, so that two causes would cite one sentence. */
function breaksSameSentence(
  check: JudgedCheck,
  { matched }: Candidate,
  requirement: RequirementOfRun | undefined,
): boolean {
  if (check.requirement !== requirement?.id) return false;
  const sentence = sentenceOf(requirement, check);
  return matched.some((each) => each.requirement === requirement.id && sentenceOf(requirement, each) === sentence);
}

/**
 * Whether a failure that a known defect does not cause is left for another one: for a known defect of the same requirement of which all
 * checks failed, with the same statuses.
 */
function hasOwnCause({ id }: JudgedCheck, { requirement, matched }: Candidate, all: readonly Candidate[]): boolean {
  if (matched.length === 0 || matched.some((check) => check.id === id)) return false;
  return all.some(
    (each) =>
      each.requirement === requirement &&
      each.isExact &&
      each.matched.some((check) => check.id === id) &&
      !each.matched.some((check) => matched.includes(check)),
  );
}

interface Symptoms {
  /** The failures that no earlier cause explains. */
  readonly left: readonly JudgedCheck[];
  readonly passed: ReadonlySet<string>;
  /** The checks that the run contains. */
  readonly selected: ReadonlySet<string>;
  /** The number of checks that each failure blocks. */
  readonly blocks: ReadonlyMap<string, number>;
}

function countBlocked(checks: readonly JudgedCheck[]): Map<string, number> {
  const blocks = new Map<string, number>();
  for (const { verdict, blockedBy } of checks) {
    if (verdict === 'blocked' && blockedBy !== null) blocks.set(blockedBy, (blocks.get(blockedBy) ?? 0) + 1);
  }
  return blocks;
}

function blockedBy(failures: readonly JudgedCheck[], blocks: ReadonlyMap<string, number>): number {
  return failures.reduce((sum, { id }) => sum + (blocks.get(id) ?? 0), 0);
}

interface Candidate {
  readonly requirement: string;
  /** Null for a defect that is not known, of which only the requirement is probable. */
  readonly known: Signature | null;
  /** The failures that the known defect causes. */
  readonly matched: readonly JudgedCheck[];
  /** The matched failures, and the other failures of the requirement. */
  readonly explained: readonly JudgedCheck[];
  /** Whether all checks of the known defect failed, with the same statuses. */
  readonly isExact: boolean;
  /** Whether one of the matched failures has another status than the known defect causes. */
  readonly hasOtherStatus: boolean;
  readonly contradictedBy: readonly string[];
  readonly score: number;
}

/** The defects that may have caused some of these failures: those with a failure before those with warnings alone, the most probable first. */
function candidates(symptoms: Symptoms, signatures: readonly Signature[]): readonly Candidate[] {
  const { left } = symptoms;
  const known = signatures
    .map((signature) => candidate(signature.requirement, signature, symptoms))
    .filter(({ explained }) => explained.length > 0);
  const named = new Set(known.map(({ requirement }) => requirement));
  const unknown = [...new Set(left.map(({ requirement }) => requirement))]
    .filter((requirement) => !named.has(requirement))
    .map((requirement) => candidate(requirement, null, symptoms));
  const isUrgent = ({ explained }: Candidate) => Number(explained.some(({ verdict }) => verdict === 'fail'));
  // A known defect with exactly these failures explains them better than any other.
  const isComplete = ({ isExact, matched }: Candidate) => Number(isExact && matched.length === left.length);
  return [...known, ...unknown].sort(
    (one, other) =>
      isUrgent(other) - isUrgent(one) ||
      isComplete(other) - isComplete(one) ||
      other.score - one.score ||
      defectLength(one) - defectLength(other),
  );
}

/** Explains no failure. */
const NOTHING: Omit<Candidate, 'requirement'> = {
  known: null,
  matched: [],
  explained: [],
  isExact: false,
  hasOtherStatus: false,
  contradictedBy: [],
  score: 0,
};

function candidate(
  requirement: string,
  signature: Signature | null,
  { left, passed, selected, blocks }: Symptoms,
): Candidate {
  const known = signature?.red ?? {};
  const broken = new Set(Object.keys(known).filter((id) => selected.has(id)));
  const contradictedBy = [...broken].filter((id) => passed.has(id));
  const matched = left.filter(({ id }) => broken.has(id));
  const alike = matched.filter(({ id, actual }) => known[id] === statusOfActual(actual));
  const different = matched.filter(({ id, actual }) => known[id] !== null && known[id] !== statusOfActual(actual));
  const hasOtherStatuses = alike.length === 0 && different.length > 0;
  // More contradicted than explained, or no status in common: only the requirement is probable, not this defect.
  const isProbable = matched.length > 0 && contradictedBy.length <= matched.length && !hasOtherStatuses;
  if (signature !== null && !isProbable) {
    return { ...NOTHING, requirement };
  }
  const own = left.filter((check) => check.requirement === requirement);
  const others = matched.filter((check) => check.requirement !== requirement);
  const unmatched = signature === null ? [] : own.filter(({ id }) => !broken.has(id));
  const score =
    OWN_WEIGHT * (own.length - unmatched.length) +
    UNMATCHED_WEIGHT * unmatched.length +
    OTHER_WEIGHT * others.length -
    MISMATCH_WEIGHT * contradictedBy.length +
    STATUS_WEIGHT * (alike.length - different.length) +
    BLOCKED_WEIGHT * blockedBy([...own, ...others], blocks) +
    MATCH_WEIGHT * matched.length;
  const isExact = matched.length === broken.size && alike.length === broken.size;
  const hasOtherStatus = different.length > 0;
  const explained = [...own, ...others];
  return { requirement, known: signature, matched, explained, isExact, hasOtherStatus, contradictedBy, score };
}

/** Of several known defects with the same effect, the one with the shortest description is the most general. */
function defectLength({ known }: Candidate): number {
  return known?.defect.length ?? 0;
}

function describeCause(
  cause: Candidate,
  all: readonly Candidate[],
  run: JudgedRun,
  blocks: ReadonlyMap<string, number>,
): Cause {
  const { requirement: id, known, matched, explained, contradictedBy } = cause;
  const requirement = run.requirements.find((each) => each.id === id);
  const startWith = simplest(matched.length > 0 ? matched : explained, id);
  const others = explained.map((check) => check.id).filter((each) => each !== startWith);
  return {
    requirement: id,
    rule: requirement === undefined ? '' : brokenRule(requirement, explained),
    proven: explained.some((check) => check.requirement === id && check.verdict === 'fail'),
    example: nameDefect(cause, all, run),
    targetFile: sharedDoubt(explained),
    area: requirement?.area ?? '',
    startWith,
    explains: [startWith, ...others],
    contradictedBy: [...contradictedBy],
    blocks: blockedBy(explained, blocks),
    fault: known?.fault ?? null,
  };
}

/** The derived rule that all its failures judge; otherwise the statement. */
function brokenRule(requirement: RequirementOfRun, explained: readonly JudgedCheck[]): string {
  const own = explained.filter((check) => check.requirement === requirement.id);
  const rules = new Set(own.map((check) => sentenceOf(requirement, check)));
  const [rule] = rules;
  return rule !== undefined && rules.size === 1 ? rule : requirement.statement;
}

/** The sentence that a check of the requirement judges. */
function sentenceOf(requirement: RequirementOfRun, { id }: JudgedCheck): string {
  return derivationOf(requirement, id)?.rule ?? requirement.statement;
}

/** A known defect is similar if it is contradicted by at most one check for this many failures that it causes. */
const FAILURES_PER_CONTRADICTION = 3;

/**
 * The known defect that causes all of these failures, if the checks that passed contradict every other one more. Null if failures block
 * more checks than these failures are, because what they would show is not known.
 */
function nameDefect(cause: Candidate, all: readonly Candidate[], run: JudgedRun): string | null {
  const { known, explained, contradictedBy } = cause;
  const possible = all.filter(
    (each) =>
      !each.hasOtherStatus &&
      each.contradictedBy.length <= contradictedBy.length &&
      explained.every((check) => each.matched.includes(check)),
  );
  const isOnly = possible.length === 1 && possible[0]?.known === known;
  const isSimilar = contradictedBy.length * FAILURES_PER_CONTRADICTION <= explained.length;
  const isJudged = countUnknown(cause, run) <= explained.length;
  return isOnly && isSimilar && isJudged ? (known?.defect ?? null) : null;
}

/** The checks that these failures block, and those of the requirement that any failure blocks. */
function countUnknown({ requirement, explained }: Candidate, { checks }: JudgedRun): number {
  const failed = new Set<string | null>(explained.map(({ id }) => id));
  const blocked = checks.filter((check) => check.verdict === 'blocked' && check.blockedBy !== null);
  return blocked.filter((check) => check.requirement === requirement || failed.has(check.blockedBy)).length;
}

/** The failure with the shortest script, or else with the fewest exchanges, preferably one that fails the run, of the requirement itself. */
function simplest(explained: readonly JudgedCheck[], requirement: string): string {
  const failed = explained.filter(({ verdict }) => verdict === 'fail');
  const urgent = failed.length > 0 ? failed : explained;
  const own = urgent.filter((check) => check.requirement === requirement);
  const among = own.length > 0 ? own : urgent;
  const effort = ({ reproduction, exchanges }: JudgedCheck) =>
    reproduction?.script == null ? WITHOUT_SCRIPT + exchanges.length : reproduction.script.length;
  return among.toSorted((one, other) => effort(one) - effort(other))[0]?.id ?? '';
}

/** `if this key was never revoked, correct actors.revoked; ` in the reason of a failure. Earlier versions wrote it at the end. */
const DOUBT = /(?:^|; )(if [^;]+, correct [\w.]+)(?=;|$)/g;

/** The field of the target file that could explain all of these failures; null if there is none. */
function sharedDoubt(explained: readonly JudgedCheck[]): string | null {
  const [first, ...others] = explained;
  return (first && doubtsOf(first).find((doubt) => others.every((each) => hasDoubt(each, doubt)))) ?? null;
}

function doubtsOf({ reason }: JudgedCheck): string[] {
  return [...reason.matchAll(DOUBT)].map(([, doubt = '']) => doubt);
}

/** Whether a failure may have the same field of the target file as its cause. */
function hasDoubt(check: JudgedCheck, doubt: string): boolean {
  return doubtsOf(check).some((each) => fieldOf(each) === fieldOf(doubt));
}

function fieldOf(doubt: string): string {
  return doubt.slice(doubt.lastIndexOf(' ') + 1);
}
