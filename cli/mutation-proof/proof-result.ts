import type { Fault } from '../../reference/faults/fault.ts';
import type { ConformingServer } from '../../reference/overrides/server-overrides.ts';
import { requirements } from '../../specs/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckOutcome } from './judge-server.ts';
import type { CheckResult, FaultProof, RowProof, VariationProof } from './schema.ts';

const isRed = ({ verdict }: CheckOutcome) => verdict === 'fail' || verdict === 'warn';
const toCheckResult = ({ id, verdict, reason }: CheckOutcome): CheckResult => ({ check: id, verdict, reason });

/** What the verdicts on a one-defect server show. */
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
        .map((check) => ({ check, verdict: 'error' as const, reason: 'it was not run' })),
    ],
    errors: judged.filter(({ verdict }) => verdict === 'error').map(toCheckResult),
  };
}

const isTargetLimitation = ({ verdict, blockedBy }: CheckOutcome) =>
  verdict === 'blocked' && blockedBy !== null && blockedBy.endsWith('of the target file');

/** The checks that do not let an honest server pass; what its own target file lacks holds nothing up. */
export function unpassedChecks(judged: readonly CheckOutcome[]): CheckResult[] {
  const fine = (each: CheckOutcome) =>
    each.verdict === 'pass' || each.verdict === 'not-applicable' || isTargetLimitation(each);
  return judged.filter((each) => !fine(each)).map(toCheckResult);
}

/** What the verdicts on an honest server show. */
export function createVariationProof(
  { id, openPoint, choice }: ConformingServer,
  judged: readonly CheckOutcome[],
): VariationProof {
  const withVerdict = (wanted: string) => judged.filter(({ verdict }) => verdict === wanted);
  return {
    id,
    openPoint,
    choice,
    held: unpassedChecks(judged),
    passed: withVerdict('pass').length,
    notApplicable: withVerdict('not-applicable').map((each) => each.id),
    beyondTarget: judged.filter(isTargetLimitation).map((each) => each.id),
  };
}

/** Whether nothing of what a fault promises is missing. */
export function isCaught({ missed, errors }: FaultProof): boolean {
  return missed.length === 0 && errors.length === 0;
}

/** The checks that no fault turned red by its name. */
export function unkilledChecks(faults: readonly FaultProof[], checks: readonly string[]): string[] {
  const killed = new Set(faults.flatMap(({ caughtBy, red }) => caughtBy.filter((id) => red.includes(id))));
  return checks.filter((id) => !killed.has(id));
}

/** Where hundreds of checks do not pass one server, the first few tell why; proof.json names them all. */
const MAX_NAMED_CHECKS = 5;

/** What keeps a server from being passed, in one line. */
export function summarizeUnpassed(held: RowProof['held']): string {
  const named = held.slice(0, MAX_NAMED_CHECKS).map(({ check, verdict, reason }) => `${check} (${verdict}): ${reason}`);
  const more = held.length > MAX_NAMED_CHECKS ? [`${held.length - MAX_NAMED_CHECKS} more checks`] : [];
  return [...named, ...more].join('; ');
}

/** One line for everything that keeps the proof from being whole. */
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
      return [`fault ${id} ${red.length === 0 ? 'survived' : 'was missed by'} ${stayed.join('; ')}`];
    }),
    ...faults
      .filter((each) => each.red.length > 0 && !ownCheck(each))
      .map(
        ({ id, requirement, red }) => `fault ${id} is caught by no check of ${requirement}, only by ${red.join(', ')}`,
      ),
    ...faults.flatMap(({ id, errors }) => errors.map(({ check, reason }) => `fault ${id} broke ${check}: ${reason}`)),
    ...variations.flatMap(({ id, held }) =>
      held.map(({ check, verdict, reason }) => `variation ${id} is not passed by ${check} (${verdict}): ${reason}`),
    ),
    ...rows
      .filter(({ held }) => held.length > 0)
      .map((row) => `${describeRow(row)} passed by ${summarizeUnpassed(row.held)}`),
    ...alive.map((id) => `no fault turns ${id} red`),
  ];
}

function describeRow({ variations, culprits }: RowProof): string {
  const [first, second] = culprits;
  if (!first)
    return `${variations.length} variations together (${variations.join(', ')}) were once, and not again, not`;
  if (!second) return `variation ${first}, in company, is not`;
  return culprits.length === 2
    ? `the pair ${first} and ${second} is not`
    : `the variations ${culprits.join(', ')} together are not`;
}
