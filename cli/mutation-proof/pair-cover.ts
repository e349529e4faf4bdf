/** A number from 0 to 1, the same series for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How much more the pairs of an item count that could stand with no other. Tried: 2 makes more rows, and so does 8. */
const SCARCITY_WEIGHT = 3;

export type Pair = readonly [number, number];

/** All pairs of the items 0 to count - 1 that can stand together. */
export function compatiblePairs(count: number, compatible: (one: number, other: number) => boolean): Pair[] {
  return Array.from({ length: count }, (_, one) => one).flatMap((one) =>
    Array.from({ length: count - one - 1 }, (_, at): Pair => [one, one + 1 + at]).filter(([, other]) =>
      compatible(one, other),
    ),
  );
}

/**
 * A covering array of strength two: rows of items, at most `longest`, that can all stand together, such that every compatible pair is in one of
 * them. Greedy: each row grows by the item that brings most pairs not yet met, those of items that stand with few others before all:
 * of them the number of rows depends.
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
