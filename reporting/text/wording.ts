import type { EffectiveLimits } from '../../specs/formats/journal.ts';
import type { GateReport } from '../../specs/formats/report.ts';
import { CHECK_VERDICTS, type CheckVerdict, type RequirementVerdict } from '../../specs/verdicts.ts';
import { shellWord } from './curl.ts';

/** The name of a verdict in a text or on a label. */
export const VERDICT_LABELS: Record<RequirementVerdict, string> = {
  fail: 'failed',
  error: 'kit error',
  blocked: 'blocked',
  warn: 'warning',
  pass: 'passed',
  'not-applicable': 'not applicable',
  'not-selected': 'not selected',
};

/** The text with a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 check`, `3 checks`. */
export function pluralize(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** `A, B and C`; above the limit `A, B, C and 4 more`. */
export function joinNames(names: readonly string[], limit = 3): string {
  const shown = names.slice(0, limit);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** `2 SETTLED invoices, 1 withdrawal and 3 subscriptions`. */
export function formatCounts(kinds: readonly { what: string; count: number }[]): string {
  return joinNames(
    kinds.map(({ what, count }) => pluralize(count, what.replace(/invoice ([A-Z]+)$/, '$1 invoice'))),
    kinds.length,
  );
}

/** Above this, the exact number is not useful to a reader. */
const MAX_EXACT_RUNS = 10_000;

/** `withdrew 23.17; at this rate the balance lasts for about 420 more runs`. */
export function formatWithdrawn({ sum, runsLeft }: { sum: string; runsLeft: number | null }): string {
  if (runsLeft === null) return `withdrew ${sum}`;
  const left =
    runsLeft > MAX_EXACT_RUNS
      ? `more than ${MAX_EXACT_RUNS.toLocaleString('en')} more runs`
      : `about ${pluralize(runsLeft, 'more run')}`;
  return `withdrew ${sum}; at this rate the balance lasts for ${left}`;
}

/** `2026-01-31 09:30:00 UTC`. */
export function formatTime(isoTime: string): string {
  return `${new Date(isoTime).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `41 ms`, `3.2 s`, `4 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `concurrency 16 · rate unlimited · request timeout 10 s · …` */
export function formatLimits(limits: EffectiveLimits): string {
  const { requestsPerSecond, requestsPerMinute, startWithinMs, maxRequests, deadlineMs } = limits;
  const rates = [
    ...(requestsPerSecond === 'none' ? [] : [`${requestsPerSecond} per second`]),
    ...(requestsPerMinute === 'none' ? [] : [`${requestsPerMinute} per minute`]),
  ];
  return [
    `concurrency ${limits.concurrency}`,
    `rate ${rates.length === 0 ? 'unlimited' : rates.join(', ')}`,
    ...(maxRequests === 'none' ? [] : [`at most ${pluralize(maxRequests, 'request')}`]),
    `request timeout ${formatDuration(limits.requestTimeoutMs)}`,
    `settle timeout ${formatDuration(limits.settleWithinMs)}`,
    ...(startWithinMs === 0 ? [] : [`start timeout ${formatDuration(startWithinMs)}`]),
    `withdrawals up to ${limits.withdrawAtMost}`,
    ...(deadlineMs === 'none' ? [] : [`deadline ${formatDuration(deadlineMs)}`]),
  ].join(' · ');
}

/** The label after a count: `2 warnings`, but `2 failed`. */
export function verdictCountLabel(verdict: RequirementVerdict, count: number): string {
  const noun = verdict === 'warn' || verdict === 'error';
  return noun && count !== 1 ? `${VERDICT_LABELS[verdict]}s` : VERDICT_LABELS[verdict];
}

/** `1 failed · 2 blocked · 40 passed`, worst first, without zero counts. */
export function formatVerdictCounts(counts: Record<CheckVerdict, number>, separator = ' · '): string {
  const present = CHECK_VERDICTS.filter((verdict) => counts[verdict] > 0);
  const parts = present.map((verdict) => `${counts[verdict]} ${verdictCountLabel(verdict, counts[verdict])}`);
  return parts.length === 0 ? 'no checks' : parts.join(separator);
}

/** A subcommand of the kit and its options, as a command line for the same server. */
export type KitCommand = (subcommand: string, options: readonly string[]) => string;

/** For reports, which do not contain the target file. */
export const anyTargetCommand: KitCommand = (subcommand, options) =>
  ['conformance', subcommand, '--target <your target file>', ...options.map((option) => shellWord(option))].join(' ');

/** The command that runs checks or requirements again. */
export function rerunCommand(ids: readonly string[], toCommand: KitCommand = anyTargetCommand): string {
  return toCommand('run', ['--only', ids.join(',')]);
}

/** `Known failure: Cancel is being rewritten (https://…, billing, until 2027-01-31)`. */
export function knownFailureText({ reason, issue, owner, expires }: GateReport['known'][number]): string {
  return `Known failure: ${reason} (${issue}, ${owner}, until ${expires})`;
}
