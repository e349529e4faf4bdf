import type { CheckRecord } from '../../specs/journal.ts';
import type { Level } from '../../specs/verdicts.ts';
import { Blocked, Breach, NoAnswer, NotApplicable } from '../model/outcomes.ts';

type Verdict = Pick<CheckRecord, 'verdict' | 'reason' | 'expected' | 'actual' | 'blockedBy' | 'decisive'>;

const nothing = { reason: '', expected: '', actual: '', blockedBy: null, decisive: [] };

export const passed: Verdict = { ...nothing, verdict: 'pass' };

/** What the end of a check's body means. A breach of an implied sentence is a warning, unless the run is strict. */
export function verdictOf(thrown: unknown, level: Level, strict: boolean): Verdict {
  const broken = level === 'required' || strict ? 'fail' : 'warn';
  if (thrown instanceof Breach) {
    const { message, expected, actual, exchanges } = thrown;
    return { ...nothing, verdict: broken, reason: message, expected, actual, decisive: [...exchanges] };
  }
  if (thrown instanceof NoAnswer) {
    return {
      ...nothing,
      verdict: broken,
      reason: thrown.message,
      expected: `an answer to ${thrown.request}`,
      actual: 'no answer, although the target answers other requests',
      decisive: [thrown.exchange],
    };
  }
  if (thrown instanceof Blocked)
    return { ...nothing, verdict: 'blocked', reason: thrown.message, blockedBy: thrown.by };
  if (thrown instanceof NotApplicable) return { ...nothing, verdict: 'not-applicable', reason: thrown.message };
  return {
    ...nothing,
    verdict: 'error',
    reason: `the kit broke: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
  };
}
