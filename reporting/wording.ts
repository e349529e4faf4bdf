import type { LimitsInForce } from '../specs/journal.ts';
import { CHECK_VERDICTS, type CheckVerdict, type RequirementVerdict, type RunVerdict } from '../specs/verdicts.ts';

/** How a verdict is called in a sentence or on a label. */
export const VERDICT_WORDS: Record<RequirementVerdict, string> = {
  fail: 'failed',
  error: 'kit error',
  blocked: 'blocked',
  warn: 'warning',
  pass: 'passed',
  'not-applicable': 'not applicable',
  'not-selected': 'not selected',
};

export const RUN_VERDICT_WORDS: Record<RunVerdict, string> = {
  conformant: 'Conformant',
  'non-conformant': 'Non-conformant',
  inconclusive: 'Inconclusive',
};

/** `1 check`, `3 checks`. */
export function amount(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** `A, B and C`; beyond the limit `A, B, C and 4 more`. */
export function enumerate(names: readonly string[], limit = 3): string {
  const shown = names.slice(0, limit);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** `2026-01-31 09:30:00 UTC`. */
export function clock(isoTime: string): string {
  return `${new Date(isoTime).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `41 ms`, `3.2 s`, `4 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `at most 16 requests at once, any number per second and in all; …` */
export function limitsInWords(limits: LimitsInForce): string {
  const { concurrency, requestsPerSecond: rate, requestTimeoutMs, settleWithinMs, maxRequests, deadlineMs } = limits;
  return [
    `at most ${amount(concurrency, 'request')} at once`,
    rate === 'none' ? 'any number per second' : `${rate} per second`,
    maxRequests === 'none' ? 'any number in all' : `${maxRequests} in all`,
    `${duration(requestTimeoutMs)} for each`,
    `${duration(settleWithinMs)} to settle`,
    deadlineMs === 'none' ? 'no deadline' : `${duration(deadlineMs)} for the run`,
  ].join(', ');
}

/** The word beside a number: `2 warnings`, but `2 failed`. */
export function countedWord(verdict: RequirementVerdict, count: number): string {
  const noun = verdict === 'warn' || verdict === 'error';
  return noun && count !== 1 ? `${VERDICT_WORDS[verdict]}s` : VERDICT_WORDS[verdict];
}

/** `1 failed · 2 blocked · 40 passed`, worst first, without the zeros. */
export function tally(counts: Record<CheckVerdict, number>): string {
  const present = CHECK_VERDICTS.filter((verdict) => counts[verdict] > 0);
  const parts = present.map((verdict) => `${counts[verdict]} ${countedWord(verdict, counts[verdict])}`);
  return parts.length === 0 ? 'no checks' : parts.join(' · ');
}
