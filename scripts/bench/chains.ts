import type { Span } from './journal.ts';

export interface Chain {
  check: string;
  exchanges: number;
}

/** The longest sequence of non-overlapping exchanges of each check; the longest first. */
export function findChains(spans: readonly Span[]): Chain[] {
  const byCheck = new Map<string, Span[]>();
  for (const span of spans) {
    if (span.check === null) continue;
    byCheck.set(span.check, [...(byCheck.get(span.check) ?? []), span]);
  }
  return [...byCheck]
    .map(([check, own]) => ({ check, exchanges: longestChain(own) }))
    .sort((one, other) => other.exchanges - one.exchanges);
}

/** Greedy: always taking the exchange that ends first gives the longest sequence. */
function longestChain(spans: readonly Span[]): number {
  let [count, end] = [0, Number.NEGATIVE_INFINITY];
  for (const span of spans.toSorted((one, other) => one.endMs - other.endMs)) {
    if (span.startMs < end) continue;
    count += 1;
    end = span.endMs;
  }
  return count;
}
