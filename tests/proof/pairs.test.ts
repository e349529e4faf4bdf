import { describe, expect, test } from 'vitest';
import { areCompatible } from '../../cli/prove/compatibility.ts';
import { minimalFailingSet } from '../../cli/prove/failure-reduction.ts';
import { compatiblePairs, pairCover } from '../../cli/prove/pairs/pair-cover.ts';
import { createPairsProof, pairRows, quickRows } from '../../cli/prove/pairs/pairs.ts';
import { findGaps } from '../../cli/prove/proof-result.ts';
import type { RowProof } from '../../cli/prove/schema.ts';
import type { Variation } from '../../reference/overrides/server-overrides.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { contradictions, standaloneVariations } from '../../reference/variations/support/contradictions.ts';

const named = (id: string): Variation => {
  const found = allVariations.find((each) => each.id === id);
  if (!found) throw new Error(`no variation ${id}`);
  return found;
};

describe('a covering array', () => {
  // Alternatives of three factors, and one item that is compatible with the first only.
  const apart = (one: number, other: number) => Math.floor(one / 3) === Math.floor(other / 3);
  const able = (one: number, other: number) =>
    !apart(one, other) && (Math.max(one, other) < 9 || Math.min(one, other) === 0);

  test('contains every compatible pair and no other', () => {
    const rows = pairCover(10, able, { seed: 7, longest: 10 });
    const met = new Set(rows.flatMap((row) => row.flatMap((one) => row.map((other) => `${one} ${other}`))));
    for (const [one, other] of compatiblePairs(10, () => true)) {
      expect(met.has(`${one} ${other}`), `${one} ${other}`).toBe(able(one, other));
    }
    // The 9 pairs of two factors need at least 9 rows.
    expect(rows.length).toBeLessThanOrEqual(14);
  });

  test('is the same for the same seed, with rows of the requested length', () => {
    const rows = pairCover(20, (one, other) => one % 4 !== other % 4, { seed: 3, longest: 3 });
    expect(pairCover(20, (one, other) => one % 4 !== other % 4, { seed: 3, longest: 3 })).toEqual(rows);
    expect(rows.filter(({ length }) => length > 3)).toEqual([]);
  });
});

describe('two variations', () => {
  test.each([
    ['are about the same open point', 'created-at-seconds', 'created-at-microseconds'],
    ['replace one rule, and the later one does not call the earlier one', 'created-200', 'created-deep'],
    ['contradict each other', 'no-treasury-bound', 'balance-by-get'],
    ['are standalone', 'approved-paid-automatically', 'ids-opaque'],
  ])('are incompatible if they %s', (_, one, other) => {
    expect(areCompatible(named(one), named(other))).toBe(false);
    expect(areCompatible(named(other), named(one))).toBe(false);
  });

  test('are compatible if they replace one rule and the later one calls the earlier one', () => {
    expect(areCompatible(named('extra-fields'), named('created-at-offset'))).toBe(true);
    expect(areCompatible(named('created-at-offset'), named('extra-fields'))).toBe(true);
  });
});

describe('the rows of variations', () => {
  const rows = pairRows();
  const passed = (variations: readonly string[]): RowProof => ({ variations: [...variations], held: [], culprits: [] });

  test('contain every pair and no contradiction', () => {
    const { all, passed: met } = createPairsProof(rows.map(passed));
    expect(met).toBe(all);
    expect(all).toBeGreaterThan(10_000);
    const wrong = rows.flatMap((row) =>
      row.flatMap((one, at) => row.slice(at + 1).filter((other) => !areCompatible(named(one), named(other)))),
    );
    expect(wrong).toEqual([]);
  });

  test('are few and contain almost every variation, for a quick proof', () => {
    const few = quickRows();
    expect(few.length).toBeLessThan(rows.length / 4);
    const slow = allVariations.filter(({ isSlow }) => isSlow).map(({ id }) => id);
    const left = [...new Set(rows.flat())].filter((id) => !few.flat().includes(id));
    expect(left).toEqual(expect.arrayContaining(slow));
    expect(left.length).toBeLessThan(10);
  });

  test('count a pair only if it passed', () => {
    const [first, ...others] = rows.map(passed);
    if (!first) throw new Error('there are no rows');
    const held = [{ check: 'LIST-01.items', verdict: 'fail' as const, reason: 'because' }];
    const { all, passed: met } = createPairsProof([{ ...first, held }, ...others]);
    expect(met).toBeLessThan(all);
  });

  test('contradictions and standalone variations name variations that exist', () => {
    const ids = [...standaloneVariations, ...Object.entries(contradictions).flatMap(([id, others]) => [id, ...others])];
    expect(ids.filter((id) => !allVariations.some((each) => each.id === id))).toEqual([]);
  });
});

describe('the culprits of a composition that does not pass', () => {
  const members = Array.from({ length: 30 }, (_, at) => `v${at}`);
  const failingWith =
    (...guilty: string[]) =>
    async (groups: readonly (readonly string[])[]) =>
      groups.findIndex((group) => guilty.every((each) => group.includes(each)));

  test('are the one, two or three incompatible variations', async () => {
    expect(await minimalFailingSet(members, failingWith('v17'))).toEqual(['v17']);
    expect(await minimalFailingSet(members, failingWith('v3', 'v28'))).toEqual(['v3', 'v28']);
    expect(await minimalFailingSet(members, failingWith('v0', 'v14', 'v29'))).toEqual(['v0', 'v14', 'v29']);
  });

  test('are none if it does not fail again', async () => {
    expect(await minimalFailingSet(members, async () => -1)).toEqual([]);
  });

  test('are all remaining ones when the time for the search is over', async () => {
    expect(await minimalFailingSet(members, failingWith('v3', 'v28'), performance.now())).toEqual(members);
  });

  test('are named in the gap', () => {
    const held = [{ check: 'LIST-01.items', verdict: 'fail' as const, reason: 'because' }];
    const gap = (guilty: string[]) =>
      findGaps([], [], [{ variations: ['a', 'b', 'c'], held, culprits: guilty }], [])[0];
    expect(gap(['a', 'c'])).toBe('the pair a and c does not pass LIST-01.items (fail): because');
    expect(gap(['b'])).toBe('variation b, in a composition, does not pass LIST-01.items (fail): because');
    expect(gap(['a', 'b', 'c'])).toMatch(/^the variations a, b, c together do not pass/);
    expect(gap([])).toMatch(
      /^3 variations together \(a, b, c\) did not pass at first and passed when repeated: LIST-01.items/,
    );
  });

  test('are named with only the first of many checks', () => {
    const held = [1, 2, 3, 4, 5, 6, 7].map((each) => ({
      check: `A-0${each}.b`,
      verdict: 'fail' as const,
      reason: 'no',
    }));
    expect(findGaps([], [], [{ variations: ['a'], held, culprits: ['a'] }], [])[0]).toMatch(
      /A-05\.b \(fail\): no; 2 more checks$/,
    );
  });
});
