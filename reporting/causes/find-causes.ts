import type { Cause, CheckReport, Report } from '../../specs/report.ts';
import { type Signature, statusOfActual } from '../../specs/signatures.ts';
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
/** A check that passed although the known defect breaks it, or a failure of its requirement that it does not cause. */
const MISMATCH_WEIGHT = 0.2;
/** A failure that the known defect causes with the same status of the deciding response. */
const STATUS_WEIGHT = 0.1;
/** Decides between known defects of one requirement. */
const MATCH_WEIGHT = 0.01;

type JudgedCheck = Pick<CheckReport, 'id' | 'requirement' | 'verdict' | 'actual' | 'exchanges' | 'reproduction'>;
/** More than the length of any script. */
const WITHOUT_SCRIPT = 1_000_000;

export interface JudgedRun {
  readonly checks: readonly JudgedCheck[];
  readonly requirements: readonly Pick<Report['requirements'][number], 'id' | 'area' | 'statement'>[];
}

/**
 * The smallest set of defects that explains the failures and warnings of a run, found greedily: each cause is the defect that explains
 * most of what the earlier ones do not. Failures of one requirement have one cause. Ids that a signature names and the run does not
 * contain are ignored.
 */
export function findCauses(run: JudgedRun, signatures: readonly Signature[]): Diagnosis {
  const left = new Map(run.checks.filter(isRed).map((check) => [check.id, check]));
  const passed = new Set(run.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const causes: Cause[] = [];
  while (left.size > 0 && causes.length < MAX_CAUSES) {
    const all = candidates([...left.values()], passed, signatures);
    const [best] = all;
    if (!best) break;
    const alike = all.filter((each) => each.score === best.score && each.requirement === best.requirement);
    for (const { id } of best.explained) left.delete(id);
    causes.push(describeCause(alike, best, run));
  }
  return { causes, unexplained: [...left.keys()] };
}

interface Candidate {
  readonly requirement: string;
  /** Null for a defect that is not known, of which only the requirement is probable. */
  readonly known: Signature | null;
  readonly explained: readonly JudgedCheck[];
  readonly contradictedBy: readonly string[];
  readonly score: number;
}

/** The defects that may have caused some of these failures, the most probable first. */
function candidates(
  left: readonly JudgedCheck[],
  passed: ReadonlySet<string>,
  signatures: readonly Signature[],
): readonly Candidate[] {
  const known = signatures
    .map((signature) => candidate(signature.requirement, signature, left, passed))
    .filter(({ explained }) => explained.length > 0);
  const named = new Set(known.map(({ requirement }) => requirement));
  const unknown = [...new Set(left.map(({ requirement }) => requirement))]
    .filter((requirement) => !named.has(requirement))
    .map((requirement) => candidate(requirement, null, left, passed));
  return [...known, ...unknown].sort(
    (one, other) => other.score - one.score || defectLength(one) - defectLength(other),
  );
}

function candidate(
  requirement: string,
  signature: Signature | null,
  left: readonly JudgedCheck[],
  passed: ReadonlySet<string>,
): Candidate {
  const known = signature?.red ?? {};
  const broken = new Set(Object.keys(known));
  const contradictedBy = [...broken].filter((id) => passed.has(id));
  const matched = left.filter(({ id }) => broken.has(id));
  // More contradicted than explained: only the requirement is probable, not this defect.
  const isProbable = matched.length > 0 && contradictedBy.length <= matched.length;
  if (signature !== null && !isProbable)
    return { requirement, known: null, explained: [], contradictedBy: [], score: 0 };
  const own = left.filter((check) => check.requirement === requirement);
  const others = matched.filter((check) => check.requirement !== requirement);
  const unmatched = signature === null ? [] : own.filter(({ id }) => !broken.has(id));
  const alike = matched.filter(({ id, actual }) => known[id] === statusOfActual(actual));
  const score =
    OWN_WEIGHT * own.length +
    OTHER_WEIGHT * others.length -
    MISMATCH_WEIGHT * (contradictedBy.length + unmatched.length) +
    STATUS_WEIGHT * alike.length +
    MATCH_WEIGHT * matched.length;
  return { requirement, known: signature, explained: [...own, ...others], contradictedBy, score };
}

/** Of several known defects with the same effect, the one with the shortest description is the most general. */
function defectLength({ known }: Candidate): number {
  return known?.defect.length ?? 0;
}

const MAX_NAMED_DEFECTS = 2;

function describeCause(
  alike: readonly Candidate[],
  { requirement: id, known, explained, contradictedBy }: Candidate,
  run: JudgedRun,
): Cause {
  const requirement = run.requirements.find((each) => each.id === id);
  const startWith = simplest(explained, id);
  const others = explained.map((check) => check.id).filter((each) => each !== startWith);
  return {
    sentence: nameDefects(alike) || `The server breaks this requirement: ${requirement?.statement ?? ''}`,
    requirement: id,
    area: requirement?.area ?? '',
    startWith,
    explains: [startWith, ...others],
    contradictedBy: [...contradictedBy],
    fault: known?.fault ?? null,
  };
}

/** `The secret is ignored. Or: The key is cached. Or 3 other known defects.` Empty if none is known. */
function nameDefects(alike: readonly Candidate[]): string {
  const defects = alike.flatMap(({ known }) => known?.defect ?? []);
  const rest = defects.length - MAX_NAMED_DEFECTS;
  const named = defects.slice(0, MAX_NAMED_DEFECTS).join(' Or: ');
  if (rest <= 0) return named;
  return `${named} Or ${rest === 1 ? 'another known defect' : `${rest} other known defects`} with the same effect.`;
}

/** The failure with the shortest script, or else with the fewest exchanges, preferably one of the requirement itself. */
function simplest(explained: readonly JudgedCheck[], requirement: string): string {
  const own = explained.filter((check) => check.requirement === requirement);
  const among = own.length > 0 ? own : explained;
  const effort = ({ reproduction, exchanges }: JudgedCheck) =>
    reproduction?.script == null ? WITHOUT_SCRIPT + exchanges.length : reproduction.script.length;
  return among.toSorted((one, other) => effort(one) - effort(other))[0]?.id ?? '';
}
