import { findCauses, type JudgedRun } from '../../reporting/causes/find-causes.ts';
import { checkCatalogue, requirements } from '../../specs/catalogue/catalogue.ts';
import type { Signature } from '../../specs/fault-signatures.ts';
import type { Cause } from '../../specs/formats/report.ts';

export interface Accuracy {
  /** Share of the faults of which the first cause names the requirement, when each fault is diagnosed by the others only. */
  readonly requirement: number;
  /** The same for the area. */
  readonly area: number;
  /** Of two faults at once, the average number whose requirement a cause names. */
  readonly ofPairs: number;
  readonly ofTriples: number;
  /** Faults whose requirement the first cause does not name: the fault, and the requirement named instead. */
  readonly missed: readonly (readonly [fault: string, requirement: string, named: string])[];
}

/** Markdown for docs/proof.md. */
export function accuracyTable({ requirement, area, ofPairs, ofTriples }: Accuracy): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    '| measured | result | goal |',
    '| --- | --- | --- |',
    `| the first cause names the requirement of the fault | ${percent(requirement)} | 75 % |`,
    `| the first cause names the area of the fault | ${percent(area)} | 90 % |`,
    `| of two faults, the causes name on average | ${ofPairs.toFixed(2)} | – |`,
    `| of three faults, the causes name on average | ${ofTriples.toFixed(2)} | 2.5 |`,
  ].join('\n');
}

const areaOf = new Map<string, string>(requirements.map(({ id, area }) => [id, area]));
const SAMPLE_SIZE = 600;

/** Measures the diagnosis by leaving out: no fault is among the known defects that explain it. */
export function measureAccuracy(signatures: readonly Signature[]): Accuracy {
  const shown = signatures.filter(({ red }) => Object.keys(red).length > 0);
  const missed: [string, string, string][] = [];
  let area = 0;
  for (const fault of shown) {
    const [first] = causesOf([fault], signatures);
    const named = first?.requirement ?? 'none';
    if (named !== fault.requirement) missed.push([fault.fault, fault.requirement, named]);
    if (areaOf.get(named) === areaOf.get(fault.requirement)) area += 1;
  }
  return {
    requirement: 1 - missed.length / shown.length,
    area: area / shown.length,
    ofPairs: averageFound(shown, signatures, 2),
    ofTriples: averageFound(shown, signatures, 3),
    missed,
  };
}

function averageFound(shown: readonly Signature[], signatures: readonly Signature[], size: number): number {
  let found = 0;
  // Coprime steps through the faults, so that each sample combines distant ones.
  for (let at = 0; at < SAMPLE_SIZE; at += 1) {
    const faults = Array.from(
      { length: size },
      (_, index) => shown[(at * 7 + index * 311) % shown.length] as Signature,
    );
    const named = new Set(causesOf(faults, signatures).map(({ requirement }) => requirement));
    found += faults.filter(({ requirement }) => named.has(requirement)).length;
  }
  return found / SAMPLE_SIZE;
}

/** The causes that a run against a server with these faults names, without the faults among the known defects. */
function causesOf(faults: readonly Signature[], signatures: readonly Signature[]) {
  const left = signatures.filter(({ fault }) => !faults.some((each) => each.fault === fault));
  return causesOfFailures(Object.assign({}, ...faults.map(({ red }) => red)), left);
}

/** The causes that a report names if exactly these checks fail, with the statuses of their deciding responses. */
export function causesOfFailures(failures: Signature['red'], signatures: readonly Signature[]): readonly Cause[] {
  const red = new Map(Object.entries(failures));
  const run: JudgedRun = {
    requirements,
    checks: [...checkCatalogue.values()].map(({ id, requirement }) => ({
      id,
      requirement: requirement.id,
      verdict: red.has(id) ? 'fail' : 'pass',
      actual: String(red.get(id) ?? ''),
      reason: '',
      blockedBy: null,
      exchanges: [],
      reproduction: null,
    })),
  };
  return findCauses(run, signatures).causes;
}
