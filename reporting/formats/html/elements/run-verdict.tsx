/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { CheckVerdict, RunVerdict } from '../../../../specs/verdicts.ts';

/** The verdict of a check that has the same colour. */
export const VERDICT_OF_RUN: Record<RunVerdict, CheckVerdict> = {
  conformant: 'pass',
  passed: 'pass',
  'non-conformant': 'fail',
  inconclusive: 'blocked',
};

/** The verdict of a run as a label with text, so that it does not depend on colour. */
export function RunVerdictChip({ verdict }: { verdict: RunVerdict }) {
  return <span class={`chip ${VERDICT_OF_RUN[verdict]}`}>{verdict}</span>;
}
