import type { Run } from '../../engine/run/run-context.ts';

/** What an invoice of the run is worth, and when it is due: within these bounds nothing distinguishes one from another. */
export interface Terms {
  leastCents: number;
  /** How many sums there are. */
  sums: number;
  /** In days from now. */
  due: { nearest: number; farthest: number };
}

/** Not petty, and small enough for a sandbox treasury and for a cap on an invoice; then what other rules of business may ask for. */
const SUMS = [
  { leastCents: 10_00, sums: 70_00 },
  { leastCents: 210_00, sums: 70_00 },
  { leastCents: 2_100_00, sums: 70_00 },
  { leastCents: 1_00, sums: 7_00 },
];

/** Working days within the terms that most agree on, and enough of them: invoices made at the same time are to differ in theirs. */
const DUE = [
  { nearest: 20, farthest: 30 },
  { nearest: 50, farthest: 60 },
  { nearest: 3, farthest: 13 },
];

/** The usual ones first. */
export const allTerms: readonly Terms[] = DUE.flatMap((due) => SUMS.map((sums) => ({ ...sums, due })));

const agreed = new WeakMap<Run, Terms>();

/** The terms of this run: the usual ones, unless others were agreed on. */
export function termsOf(run: Run): Terms {
  return agreed.get(run) ?? (allTerms[0] as Terms);
}

/** Every valid body of the run keeps to these from now on; to the usual ones again where they are undefined. */
export function agreeOn(run: Run, terms: Terms | undefined): void {
  if (terms) agreed.set(run, terms);
  else agreed.delete(run);
}
