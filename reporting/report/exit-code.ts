import { EXIT } from '../../specs/exit-codes.ts';
import type { GateReport, Report } from '../../specs/formats/report.ts';
import type { RunVerdict } from '../../specs/verdicts.ts';
import type { RunFacts } from './run-facts.ts';

/** The exit code of a run from its verdict, or from its gate if it has one. */
export function exitCodeOf(facts: RunFacts, verdict: RunVerdict): Report['exitCode'] {
  const { checks, interrupted, gate } = facts;
  if (gate) return gateExitCode(facts, gate);
  if (verdict === 'non-conformant') return EXIT.failed;
  if (checks.some((check) => check.verdict === 'error')) return EXIT.broken;
  if (interrupted === null && !checks.some((check) => check.executed)) return EXIT.usage;
  return verdict === 'inconclusive' || interrupted !== null ? EXIT.inconclusive : EXIT.conformant;
}

function gateExitCode({ checks, interrupted }: RunFacts, { result }: GateReport): Report['exitCode'] {
  if (result === 'failed') return EXIT.failed;
  if (checks.some((check) => check.verdict === 'error')) return EXIT.broken;
  if (interrupted === null && !checks.some((check) => check.executed)) return EXIT.usage;
  return result === 'inconclusive' ? EXIT.inconclusive : EXIT.conformant;
}
