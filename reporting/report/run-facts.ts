import type { GateReport } from '../../specs/formats/report.ts';
import type { VerdictScope } from './headline.ts';
import type { CheckFact } from './judged.ts';

/** The facts of a run that decide its verdict and its exit code. */
export interface RunFacts extends VerdictScope {
  /** The reason why the run was interrupted; null if it was not. */
  readonly interrupted: string | null;
  /** All selected checks. */
  readonly checks: readonly CheckFact[];
  /** Null if the verdict alone decides the exit code. */
  readonly gate?: GateReport | null;
}
