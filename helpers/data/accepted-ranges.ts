import type { RunContext } from '../../engine/run/run-context.ts';
import { runState } from '../context/run-state.ts';

/** The amounts and due dates of the invoices of a run. The server treats all invoices within these bounds alike. */
export interface AcceptedRanges {
  leastCents: number;
  /** The number of different amounts. */
  sums: number;
  /** In days from now. */
  due: { nearest: number; farthest: number };
}

/**
 * The first range is large enough to avoid minimums and small enough for a sandbox treasury and an invoice cap. The
 * others serve servers with other business rules.
 */
const AMOUNT_RANGES = [
  { leastCents: 10_00, sums: 70_00 },
  { leastCents: 210_00, sums: 70_00 },
  { leastCents: 2_100_00, sums: 70_00 },
  { leastCents: 1_00, sums: 7_00 },
];

/**
 * Weekdays within common payment terms. There are enough of them for invoices of one moment to have different due
 * dates.
 */
const DUE_RANGES = [
  { nearest: 20, farthest: 30 },
  { nearest: 50, farthest: 60 },
  { nearest: 3, farthest: 13 },
  { nearest: 100, farthest: 110 },
  { nearest: 190, farthest: 200 },
  { nearest: 310, farthest: 320 },
];

/** The default ranges come first. */
export const candidateRanges: readonly AcceptedRanges[] = DUE_RANGES.flatMap((due) =>
  AMOUNT_RANGES.map((sums) => ({ ...sums, due })),
);

const accepted = runState(() => ({ ranges: candidateRanges[0] as AcceptedRanges }));

/** The ranges of this run: the default ones, unless calibration set others. */
export function acceptedRangesOf(run: RunContext): AcceptedRanges {
  return accepted(run).ranges;
}

/** Sets the ranges of every valid body from now on; undefined restores the default ranges. */
export function setAcceptedRanges(run: RunContext, terms: AcceptedRanges | undefined): void {
  accepted(run).ranges = terms ?? (candidateRanges[0] as AcceptedRanges);
}
