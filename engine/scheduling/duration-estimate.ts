import type { Target } from '../../specs/target-file/target.ts';
import { RateQuota } from './rate-quota.ts';

export interface DurationInput {
  /** Requests of the run. */
  requests: number;
  /** Milliseconds that the target takes for a response. */
  latencyMs: number;
  limits: Pick<Target['limits'], 'concurrency' | 'requestsPerSecond' | 'requestsPerMinute' | 'maxRequests'>;
  /** Requests of the longest chain: each waits for the response to the previous one. */
  chain?: number;
  /** Milliseconds that the run takes if responses take no time. */
  waitsMs?: number;
}

/** The part of the shorter one of two times that does not overlap with the longer one; fitted to measurements. */
const NON_OVERLAP_SHARE = 0.3;

/**
 * Estimates the duration of a run in milliseconds: the time for all requests at the declared rate or at the given
 * concurrency, and the time for the longest chain. The chain takes time only if a response takes longer than the pause
 * between two requests.
 */
export function estimateDurationMs({ requests, latencyMs, limits, chain = 0, waitsMs = 0 }: DurationInput): number {
  const { concurrency, requestsPerSecond, requestsPerMinute, maxRequests } = limits;
  const sent = maxRequests === 'none' ? requests : Math.min(requests, maxRequests);
  const spacingMs = Math.max(
    requestsPerSecond === 'none' ? 0 : 1000 / requestsPerSecond,
    new RateQuota(requestsPerMinute).spacingMs,
  );
  const allMs = sent * Math.max(spacingMs, latencyMs / concurrency);
  const chainMs = chain * Math.max(0, latencyMs - spacingMs);
  return waitsMs + Math.max(allMs, chainMs) + NON_OVERLAP_SHARE * Math.min(allMs, chainMs);
}
