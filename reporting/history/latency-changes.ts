import type { Changes } from '../../specs/formats/changes.ts';
import type { Night } from '../../specs/formats/night.ts';

/** Fewer earlier runs do not show the spread. */
const MIN_RUNS = 7;
/** Fewer requests do not show the latency: of 200, ten are above the 95th percentile. */
const MIN_REQUESTS = { median: 30, p95: 200 } as const;
/** A change must be this many times as large as the usual deviation, this share of the usual latency, and this many milliseconds. */
const MIN_DEVIATIONS = 6;
const MIN_SHARE = { median: 0.5, p95: 1 } as const;
const MIN_DIFFERENCE_MS = { median: 15, p95: 100 } as const;

/** A run that repeats experiments sends more requests, and its load makes the server slower. */
const MAX_REQUESTS_RATIO = 1.5;

const QUANTILES = ['median', 'p95'] as const;
type Quantile = Changes['latency'][number]['quantile'];
type Operation = Night['operations'][number];

/**
 * The operations whose latency is beyond the spread of earlier runs of the same scope, slower or faster, each once: with its
 * median, or with its 95th percentile if only that has changed.
 */
export function latencyChanges(earlier: readonly Night[], now: Night): Changes['latency'] {
  return now.operations.flatMap((operation) => {
    const usual = earlier.flatMap(({ operations }) => operations.find((each) => isComparable(each, operation)) ?? []);
    const change = newChange(usual, operation);
    return change ? [{ operation: operation.operation, ...change }] : [];
  });
}

function isComparable(before: Operation, now: Operation): boolean {
  const [fewer, more] = [before.requests, now.requests].sort((one, other) => one - other) as [number, number];
  return before.operation === now.operation && more <= MAX_REQUESTS_RATIO * fewer;
}

function latencyOf({ medianMs, p95Ms }: Operation, quantile: Quantile): number {
  return quantile === 'median' ? medianMs : p95Ms;
}

interface LatencyChange {
  readonly quantile: Quantile;
  readonly usualMs: number;
  readonly nowMs: number;
}

/**
 * How the latency of the last run differs from those of the runs before it, oldest first; null if it does not, or if an earlier run has
 * shown the same change in the other quantile.
 */
function newChange(earlier: readonly Operation[], last: Operation): LatencyChange | null {
  const levels = QUANTILES.map((quantile) => ({ quantile, level: new Level(quantile) }));
  const runs = [...earlier, last];
  let named: { change: LatencyChange; at: number } | null = null;
  for (const [at, run] of runs.entries()) {
    const changes = levels.flatMap(({ quantile, level }) => {
      if (run.requests < MIN_REQUESTS[quantile]) return [];
      const [usualMs, nowMs] = [level.usualMs, latencyOf(run, quantile)];
      return level.add(nowMs) ? [{ quantile, usualMs: round(usualMs), nowMs: round(nowMs) }] : [];
    });
    const [change] = changes;
    if (!change) continue;
    const isRecent: boolean = named !== null && at - named.at < MIN_RUNS;
    if (named && isRecent && change.quantile !== named.change.quantile && isSlower(change) === isSlower(named.change))
      continue;
    named = { change, at };
  }
  return named?.at === runs.length - 1 ? named.change : null;
}

function isSlower({ usualMs, nowMs }: LatencyChange): boolean {
  return nowMs > usualMs;
}

/** The usual latency. A change begins a new level, so that it is said once; a single run does not. */
class Level {
  private readonly quantile: Quantile;
  private values: number[] = [];
  /** The level before, while the current one is too short to know its spread. */
  private previous: readonly number[] = [];

  constructor(quantile: Quantile) {
    this.quantile = quantile;
  }

  get usualMs(): number {
    return median(this.values);
  }

  /** Adds the latency of the next run. Returns whether it changes the level. */
  add(value: number): boolean {
    const isShort = this.values.length < MIN_RUNS;
    const spread = deviation(isShort ? this.previous : this.values);
    if (isShort && this.previous.length < MIN_RUNS) {
      this.values.push(value);
      return false;
    }
    if (isShort && this.values.length === 1 && !this.isBeyond(this.previous, spread, value)) {
      this.values = [...this.previous, value];
      this.previous = [];
      return false;
    }
    const isChanged = this.isBeyond(this.values, spread, value);
    if (isChanged) {
      if (!isShort) this.previous = this.values;
      this.values = [];
    }
    this.values.push(value);
    return isChanged;
  }

  private isBeyond(values: readonly number[], spread: number, value: number): boolean {
    const middle = median(values);
    const least = Math.max(
      MIN_DEVIATIONS * spread,
      MIN_SHARE[this.quantile] * middle,
      MIN_DIFFERENCE_MS[this.quantile],
    );
    if (value > middle) return value - middle > least && value > Math.max(...values);
    // Half of a latency is as large a change as its double.
    return middle - value > Math.max(least / 2, MIN_DIFFERENCE_MS[this.quantile]) && value < Math.min(...values);
  }
}

/** The median difference of one run from the next: unlike the distance from the median, a slow trend does not raise it. */
function deviation(values: readonly number[]): number {
  return median(values.slice(1).map((each, at) => Math.abs(each - (values[at] ?? each))));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
