/** A generator of numbers from 0 to 1; the same seed gives the same series (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Weight of the pairs of an item with few compatible items. Measured: both 2 and 8 give more rows. */
const SCARCITY_WEIGHT = 3;

export type Pair = readonly [number, number];

/** All compatible pairs of the items 0 to count - 1. */
export function compatiblePairs(count: number, compatible: (one: number, other: number) => boolean): Pair[] {
  return Array.from({ length: count }, (_, one) => one).flatMap((one) =>
    Array.from({ length: count - one - 1 }, (_, at): Pair => [one, one + 1 + at]).filter(([, other]) =>
      compatible(one, other),
    ),
  );
}

/**
 * A covering array of strength two: rows of at most `longest` compatible items, so that every compatible pair is in a row.
 * Greedy: each row grows by the item with the most uncovered pairs. Items with few compatible items weigh more, because they
 * determine the number of rows.
 */
export function pairCover(
  count: number,
  compatible: (one: number, other: number) => boolean,
  { seed, longest }: { seed: number; longest: number },
): number[][] {
  const random = seededRandom(seed);
  const missing = Array.from({ length: count }, () => new Set<number>());
  const missingOf = (item: number): Set<number> => missing[item] ?? new Set();
  for (const [one, other] of compatiblePairs(count, compatible)) {
    missingOf(one).add(other);
    missingOf(other).add(one);
  }
  const scarce = missing.map(({ size }) => 1 + (SCARCITY_WEIGHT * (count - 1 - size)) / count);
  const scarcityOf = (item: number): number => scarce[item] ?? 1;
  const rows: number[][] = [];
  for (;;) {
    const row: number[] = [];
    let candidates = Array.from({ length: count }, (_, item) => item).filter((item) => missingOf(item).size > 0);
    if (candidates.length === 0) return rows;
    while (candidates.length > 0 && row.length < longest) {
      const next = pickBest(candidates, (item) => {
        const met = row.filter((held) => missingOf(item).has(held));
        const now = met.reduce((sum, held) => sum + scarcityOf(item) + scarcityOf(held) - 1, 0);
        return [now, missingOf(item).size, random()];
      });
      row.push(next);
      candidates = candidates.filter((item) => item !== next && compatible(item, next));
    }
    for (const one of row) for (const other of row) missingOf(one).delete(other);
    rows.push(row.sort((one, other) => one - other));
  }
}

function pickBest(items: readonly number[], worth: (item: number) => readonly number[]): number {
  const [first] = items
    .map((item) => ({ item, rank: worth(item) }))
    .sort((one, other) => {
      const at = one.rank.findIndex((value, index) => value !== other.rank[index]);
      return at < 0 ? 0 : (other.rank[at] ?? 0) - (one.rank[at] ?? 0);
    });
  if (!first) throw new Error('nothing to choose from');
  return first.item;
}
