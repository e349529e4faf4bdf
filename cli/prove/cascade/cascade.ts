import { z } from 'zod';
import type { Fault } from '../../../reference/faults/fault.ts';
import { catalogueCheck } from '../../../specs/catalogue/catalogue.ts';
import { isRed } from '../../../specs/verdicts.ts';
import type { CheckOutcome, ServerExamination } from '../judge-server.ts';

const redVerdict = z.strictObject({ check: z.string(), reason: z.string() });

export const cascadeRow = z.strictObject({
  fault: z.string(),
  /** The requirements of the checks that the fault names. */
  own: z.array(z.string()),
  /** All other red requirements. */
  beside: z.array(z.string()),
  /** The red checks of other requirements, with their reasons. */
  said: z.array(redVerdict),
  durationMs: z.number(),
  requests: z.number(),
  /** Wall time divided by that of a conforming server in the same proof. */
  timeRatio: z.number(),
});
export type CascadeRow = z.infer<typeof cascadeRow>;

/** The content of cascade.json, written by `conformance prove`: red requirements and duration for each fault. */
export const cascade = z.strictObject({
  schemaVersion: z.literal(1),
  /** Red requirements on a server with one fault; the own requirements of the fault count as one. */
  median: z.number(),
  p90: z.number(),
  most: z.number(),
  honest: z.strictObject({ durationMs: z.number(), requests: z.number() }),
  slowestRatio: z.number(),
  /** Worst first. */
  faults: z.array(cascadeRow),
});
export type Cascade = z.infer<typeof cascade>;

/** A fault with the verdicts of every check on its server. */
export interface ExaminedFault extends ServerExamination {
  fault: Pick<Fault, 'id' | 'requirement' | 'caughtBy'>;
}

/** Null without faults or without a conforming server to compare with. */
export function buildCascade(examined: readonly ExaminedFault[], honest: readonly ServerExamination[]): Cascade | null {
  if (examined.length === 0 || honest.length === 0) return null;
  const ordinary = {
    durationMs: quantile(
      honest.map(({ durationMs }) => durationMs),
      0.5,
    ),
    requests: quantile(
      honest.map(({ requests }) => requests),
      0.5,
    ),
  };
  const faults = examined
    .map((each) => buildRow(each, ordinary.durationMs))
    .sort((one, other) => other.beside.length - one.beside.length || other.said.length - one.said.length);
  const red = faults.map(countRedRequirements);
  return {
    schemaVersion: 1,
    median: quantile(red, 0.5),
    p90: quantile(red, 0.9),
    most: Math.max(...red),
    honest: ordinary,
    slowestRatio: Math.max(...faults.map(({ timeRatio }) => timeRatio)),
    faults,
  };
}

/** The own requirements of a fault count as one. */
function countRedRequirements({ beside }: CascadeRow): number {
  return 1 + beside.length;
}

function buildRow({ fault, judged, durationMs, requests }: ExaminedFault, honestMs: number): CascadeRow {
  const requirementOf = ({ id }: Pick<CheckOutcome, 'id'>) => catalogueCheck(id).requirement.id;
  const own = new Set([fault.requirement, ...fault.caughtBy.map((id) => requirementOf({ id }))]);
  const strangers = judged.filter((each) => isRed(each) && !own.has(requirementOf(each)));
  return {
    fault: fault.id,
    own: [...own].sort(),
    beside: [...new Set(strangers.map(requirementOf))].sort(),
    said: strangers.map(({ id, reason }) => ({ check: id, reason })),
    durationMs,
    requests,
    timeRatio: Math.round((durationMs / honestMs) * 100) / 100,
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
