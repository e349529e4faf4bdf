import type { Fault } from '../../reference/faults/fault.ts';
import type { ConformingServer } from '../../reference/overrides/server-overrides.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { isRed } from '../../specs/verdicts.ts';
import type { CheckOutcome } from './judge-server.ts';
import type { CheckResult, FaultProof, RowProof, VariationProof } from './schema.ts';

const toCheckResult = ({ id, verdict, reason }: CheckOutcome): CheckResult => ({ check: id, verdict, reason });

/** The proof of one fault from the verdicts on its server. Throws if its requirement does not exist. */
export function createFaultProof(fault: Fault, judged: readonly CheckOutcome[]): FaultProof {
  const entry = requirements.find(({ id }) => id === fault.requirement);
  if (!entry) throw new Error(`fault ${fault.id} breaks ${fault.requirement}, which does not exist`);
  const named: ReadonlySet<CheckId> = new Set(fault.caughtBy);
  const spoken = new Set(judged.map(({ id }) => id));
  return {
    id: fault.id,
    area: entry.area,
    requirement: fault.requirement,
    level: entry.level,
    sentence: fault.defect,
    caughtBy: [...fault.caughtBy],
    red: judged.filter(isRed).map(({ id }) => id),
    missed: [
      ...judged.filter((each) => named.has(each.id) && !isRed(each)).map(toCheckResult),
      ...[...named]
        .filter((id) => !spoken.has(id))
        .map((check) => ({ check, verdict: 'error' as const, reason: 'the check was not run' })),
    ],
    errors: judged.filter(({ verdict }) => verdict === 'error').map(toCheckResult),
  };
}

const isTargetLimitation = ({ verdict, blockedBy }: CheckOutcome) =>
  verdict === 'blocked' && blockedBy !== null && blockedBy.endsWith('of the target file');

/** The checks that a conforming server does not pass. A check that is blocked by a missing entry of its target file is not one of them. */
export function checksNotPassed(judged: readonly CheckOutcome[]): CheckResult[] {
  const fine = (each: CheckOutcome) =>
    each.verdict === 'pass' || each.verdict === 'not-applicable' || isTargetLimitation(each);
  return judged.filter((each) => !fine(each)).map(toCheckResult);
}

/** The proof of one variation from the verdicts on its server. */
export function createVariationProof(
  { id, openPoint, choice }: ConformingServer,
  judged: readonly CheckOutcome[],
): VariationProof {
  const withVerdict = (wanted: string) => judged.filter(({ verdict }) => verdict === wanted);
  return {
    id,
    openPoint,
    choice,
    held: checksNotPassed(judged),
    passed: withVerdict('pass').length,
    notApplicable: withVerdict('not-applicable').map((each) => each.id),
    beyondTarget: judged.filter(isTargetLimitation).map((each) => each.id),
  };
}

/** Whether every check that the fault names turned red, without internal errors. */
export function isCaught({ missed, errors }: FaultProof): boolean {
  return missed.length === 0 && errors.length === 0;
}

/** The checks that did not turn red for any fault that names them. */
export function uncaughtChecks(faults: readonly FaultProof[], checks: readonly string[]): string[] {
  const killed = new Set(faults.flatMap(({ caughtBy, red }) => caughtBy.filter((id) => red.includes(id))));
  return checks.filter((id) => !killed.has(id));
}

/** Keeps a gap readable; proof.json lists all checks. */
const MAX_NAMED_CHECKS = 5;

/** The checks that a server does not pass, in one line. */
export function summarizeNotPassed(held: RowProof['held']): string {
  const named = held.slice(0, MAX_NAMED_CHECKS).map(({ check, verdict, reason }) => `${check} (${verdict}): ${reason}`);
  const more = held.length > MAX_NAMED_CHECKS ? [`${held.length - MAX_NAMED_CHECKS} more checks`] : [];
  return [...named, ...more].join('; ');
}

/** One line for each gap of the proof. */
export function findGaps(
  faults: readonly FaultProof[],
  variations: readonly VariationProof[],
  rows: readonly RowProof[],
  alive: readonly string[],
): string[] {
  const ownCheck = ({ requirement, red }: FaultProof) => red.some((id) => id.startsWith(`${requirement}.`));
  return [
    ...faults.flatMap(({ id, red, missed }) => {
      if (missed.length === 0) return [];
      const stayed = missed.map(({ check, verdict, reason }) => `${check} (${verdict}${reason && `: ${reason}`})`);
      return [`fault ${id} ${red.length === 0 ? 'was missed by every check:' : 'was missed by'} ${stayed.join('; ')}`];
    }),
    ...faults
      .filter((each) => each.red.length > 0 && !ownCheck(each))
      .map(
        ({ id, requirement, red }) => `fault ${id} is caught by no check of ${requirement}, only by ${red.join(', ')}`,
      ),
    ...faults.flatMap(({ id, errors }) =>
      errors.map(({ check, reason }) => `fault ${id} caused an internal error in ${check}: ${reason}`),
    ),
    ...variations.flatMap(({ id, held }) =>
      held.map(({ check, verdict, reason }) => `variation ${id} does not pass ${check} (${verdict}): ${reason}`),
    ),
    ...rows.filter(({ held }) => held.length > 0).map((row) => `${describeRow(row)} ${summarizeNotPassed(row.held)}`),
    ...alive.map((id) => `no fault turns ${id} red`),
  ];
}

function describeRow({ variations, culprits }: RowProof): string {
  const [first, second] = culprits;
  if (!first)
    return `${variations.length} variations together (${variations.join(', ')}) did not pass at first and passed when repeated:`;
  if (!second) return `variation ${first}, in a composition, does not pass`;
  return culprits.length === 2
    ? `the pair ${first} and ${second} does not pass`
    : `the variations ${culprits.join(', ')} together do not pass`;
}
