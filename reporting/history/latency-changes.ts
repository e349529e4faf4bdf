import type { Changes } from '../../specs/changes.ts';
import type { Night } from '../../specs/night.ts';

/** Fewer earlier runs do not show the spread. */
const MIN_RUNS = 7;
/** Fewer requests do not show the latency: of 200, ten are above the 95th percentile. */
const MIN_REQUESTS = { median: 30, p95: 200 } as const;
/** A change must be this many times as large as the usual deviation, this share of the usual latency, and this many milliseconds. */
const MIN_DEVIATIONS = 6;
const MIN_SHARE = { median: 0.5, p95: 1 } as const;
const MIN_DIFFERENCE_MS = 15;

type Quantile = Changes['latency'][number]['quantile'];

/** The operations whose latency is beyond the spread of earlier runs of the same profile, slower or faster. */
export function latencyChanges(earlier: readonly Night[], now: Night): Changes['latency'] {
  const comparable = earlier.filter(({ run }) => run.profile === now.run.profile);
  return now.operations.flatMap((operation) =>
    (['median', 'p95'] as const).flatMap((quantile) => {
      const usual = comparable.flatMap(({ operations }) => {
        const same = operations.find((each) => each.operation === operation.operation);
        return same && same.requests >= MIN_REQUESTS[quantile] ? [latencyOf(same, quantile)] : [];
      });
      const nowMs = latencyOf(operation, quantile);
      if (operation.requests < MIN_REQUESTS[quantile] || !isNewLatency(usual, nowMs, quantile)) return [];
      return [{ operation: operation.operation, quantile, usualMs: round(median(usual)), nowMs: round(nowMs) }];
    }),
  );
}

function latencyOf({ medianMs, p95Ms }: Night['operations'][number], quantile: Quantile): number {
  return quantile === 'median' ? medianMs : p95Ms;
}

/** Whether the latency is beyond the spread, and the last run had not already reached it: a change is said once. */
function isNewLatency(usual: readonly number[], nowMs: number, quantile: Quantile): boolean {
  const direction = directionBeyondSpread(usual, nowMs, quantile);
  if (direction === 'within') return false;
  const lastMs = usual.at(-1) ?? nowMs;
  const before = usual.slice(0, -1);
  const wasBeyond = directionBeyondSpread(before, lastMs, quantile) === direction;
  return !wasBeyond || Math.abs(nowMs - lastMs) > leastDifference(before, quantile);
}

function directionBeyondSpread(usual: readonly number[], nowMs: number, quantile: Quantile) {
  if (usual.length < MIN_RUNS) return 'within';
  const middle = median(usual);
  const least = leastDifference(usual, quantile);
  if (nowMs - middle > least && nowMs > Math.max(...usual)) return 'slower';
  // Half of a latency is as large a change as its double.
  const isFaster = middle - nowMs > Math.max(least / 2, MIN_DIFFERENCE_MS) && nowMs < Math.min(...usual);
  return isFaster ? 'faster' : 'within';
}

function leastDifference(usual: readonly number[], quantile: Quantile): number {
  const middle = median(usual);
  const deviation = median(usual.map((each) => Math.abs(each - middle)));
  return Math.max(MIN_DEVIATIONS * deviation, MIN_SHARE[quantile] * middle, MIN_DIFFERENCE_MS);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
