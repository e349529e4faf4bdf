import type { RunContext } from '../../engine/run/run-context.ts';

/** What an invoice of the run is worth, and when it is due: within these bounds nothing distinguishes one from another. */
export interface AcceptedRanges {
  leastCents: number;
  /** How many sums there are. */
  sums: number;
  /** In days from now. */
  due: { nearest: number; farthest: number };
}

/** Not petty, and small enough for a sandbox treasury and for a cap on an invoice; then what other rules of business may ask for. */
const AMOUNT_RANGES = [
  { leastCents: 10_00, sums: 70_00 },
  { leastCents: 210_00, sums: 70_00 },
  { leastCents: 2_100_00, sums: 70_00 },
  { leastCents: 1_00, sums: 7_00 },
];

/** Working days within the terms that most agree on, and enough of them: invoices made at the same time are to differ in theirs. */
const DUE_RANGES = [
  { nearest: 20, farthest: 30 },
  { nearest: 50, farthest: 60 },
  { nearest: 3, farthest: 13 },
];

/** The usual ones first. */
export const candidateRanges: readonly AcceptedRanges[] = DUE_RANGES.flatMap((due) =>
  AMOUNT_RANGES.map((sums) => ({ ...sums, due })),
);

const rangesByRun = new WeakMap<RunContext, AcceptedRanges>();

/** The terms of this run: the usual ones, unless others were agreed on. */
export function acceptedRangesOf(run: RunContext): AcceptedRanges {
  return rangesByRun.get(run) ?? (candidateRanges[0] as AcceptedRanges);
}

/** Every valid body of the run keeps to these from now on; to the usual ones again where they are undefined. */
export function setAcceptedRanges(run: RunContext, terms: AcceptedRanges | undefined): void {
  if (terms) rangesByRun.set(run, terms);
  else rangesByRun.delete(run);
}
