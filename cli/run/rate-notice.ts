import { estimateDurationMs } from '../../engine/scheduling/duration-estimate.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { describeEstimate, estimateProfileCosts } from './cost-estimate.ts';

/** The requests of the preflight with the keys of all actors. */
const PREFLIGHT_REQUESTS = 12;
/** A silence of this length, in milliseconds, needs no explanation. */
const SHORT_MS = 10_000;
const TYPICAL_LATENCY_MS = 50;

/** How long a low rate makes the preflight and a whole run of the profile; null if the preflight is short. */
export function rateNotice({ actors, limits }: Pick<Target, 'actors' | 'limits'>, profile: string): string | null {
  const preflightMs = estimateDurationMs({ requests: PREFLIGHT_REQUESTS, latencyMs: TYPICAL_LATENCY_MS, limits });
  if (preflightMs < SHORT_MS) return null;
  const { requestsPerMinute, requestsPerSecond } = limits;
  const isMinuteLower =
    requestsPerSecond === 'none' || (requestsPerMinute !== 'none' && requestsPerMinute < 60 * requestsPerSecond);
  const rate = isMinuteLower
    ? `limits.requestsPerMinute: ${requestsPerMinute}`
    : `limits.requestsPerSecond: ${requestsPerSecond}`;
  const whole = estimateProfileCosts({ actors, limits }, TYPICAL_LATENCY_MS).find((each) => each.profile === profile);
  const run = whole ? `, and a whole run of profile ${profile} ${describeEstimate(whole.seconds)}` : '';
  return `${rate}: the preflight takes ${describeEstimate(preflightMs / 1000)}${run}`;
}
