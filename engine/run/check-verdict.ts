import type { CheckRecord } from '../../specs/formats/journal.ts';
import type { Level } from '../../specs/verdicts.ts';
import { Blocked, Breach, DisturbedByOthers, NoResponse, NotApplicable } from '../model/outcomes.ts';

export type Verdict = Pick<
  CheckRecord,
  'verdict' | 'reason' | 'expected' | 'actual' | 'blockedBy' | 'disturbed' | 'decisive' | 'expectation'
>;

const emptyVerdict = { reason: '', expected: '', actual: '', blockedBy: null, decisive: [], expectation: null };

export const passVerdict: Verdict = { ...emptyVerdict, verdict: 'pass' };

/** The verdict for the error of a check's body. A breach of an implied requirement is a warning, unless the run is strict. */
export function verdictOf(thrown: unknown, level: Level, strict: boolean): Verdict {
  const broken = level === 'required' || strict ? 'fail' : 'warn';
  if (thrown instanceof Breach) {
    const { message, expected, actual, exchanges, expectation } = thrown;
    const found = { reason: message, expected, actual, decisive: [...exchanges], expectation };
    return { ...emptyVerdict, verdict: broken, ...found };
  }
  if (thrown instanceof NoResponse) {
    return {
      ...emptyVerdict,
      verdict: broken,
      reason: thrown.message,
      expected: `a response to ${thrown.requestLine}`,
      actual: 'no response, although the target responds to other requests',
      decisive: [thrown.exchange],
      expectation: {},
    };
  }
  if (thrown instanceof Blocked)
    return { ...emptyVerdict, verdict: 'blocked', reason: thrown.message, blockedBy: thrown.blockedBy };
  if (thrown instanceof DisturbedByOthers)
    return { ...emptyVerdict, verdict: 'not-applicable', reason: thrown.message, disturbed: true };
  if (thrown instanceof NotApplicable) return { ...emptyVerdict, verdict: 'not-applicable', reason: thrown.message };
  return {
    ...emptyVerdict,
    verdict: 'error',
    reason: `internal error of the kit: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
  };
}
