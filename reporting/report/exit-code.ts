import type { GateReport, Report } from '../../specs/formats/report.ts';
import type { RunVerdict } from '../../specs/verdicts.ts';
import type { RunFacts } from './run-facts.ts';

/** The exit code of a run from its verdict, or from its gate if it has one. */
export function exitCodeOf(facts: RunFacts, verdict: RunVerdict): Report['exitCode'] {
  const { checks, interrupted, gate } = facts;
  if (gate) return gateExitCode(facts, gate);
  if (verdict === 'non-conformant') return 1;
  if (checks.some((check) => check.verdict === 'error')) return 4;
  if (interrupted === null && !checks.some((check) => check.executed)) return 2;
  return verdict === 'inconclusive' || interrupted !== null ? 3 : 0;
}

function gateExitCode({ checks, interrupted }: RunFacts, { result }: GateReport): Report['exitCode'] {
  if (result === 'failed') return 1;
  if (checks.some((check) => check.verdict === 'error')) return 4;
  if (interrupted === null && !checks.some((check) => check.executed)) return 2;
  return result === 'inconclusive' ? 3 : 0;
}
