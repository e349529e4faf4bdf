import { allVariations } from '../../../reference/variations/all.ts';
import { checksOfProfile } from '../../../specs/catalogue/selection.ts';
import { areCompatible } from '../compatibility.ts';
import { minimalFailingSet } from '../failure-reduction.ts';
import type { CheckOutcome } from '../judge-server.ts';
import { checksNotPassed } from '../proof-result.ts';
import type { PairsProof, RowProof } from '../schema.ts';
import { runInWorkers } from '../worker-pool.ts';
import { compatiblePairs, pairCover } from './pair-cover.ts';

const SEED = 1;
/** A larger composition is slower than two servers, and its delays add up. */
const MAX_ROW_LENGTH = 33;
const variationIds = allVariations.map(({ id }) => id);

function canCombine(one: number, other: number): boolean {
  const [first, second] = [allVariations[one], allVariations[other]];
  return first !== undefined && second !== undefined && areCompatible(first, second);
}

/**
 * Compositions, each a list of variation ids. Every compatible pair is in at least one of them; the slowest come first.
 */
export function pairRows(): readonly (readonly string[])[] {
  const rows = pairCover(variationIds.length, canCombine, { seed: SEED, longest: MAX_ROW_LENGTH });
  const slowOnes = (row: readonly number[]) => row.filter((at) => allVariations[at]?.isSlow).length;
  const slowFirst = rows.toSorted((one, other) => slowOnes(other) - slowOnes(one));
  return slowFirst.map((row) => row.map((at) => variationIds[at] ?? ''));
}

/**
 * Some of the compositions, so that almost every variation is in at least one. Leaves out compositions with a slow
 * variation, because one of them takes minutes; a variation in no composition runs alone.
 */
export function quickRows(): readonly (readonly string[])[] {
  const slow = new Set(allVariations.filter(({ isSlow }) => isSlow).map(({ id }) => id));
  const rows = pairRows().filter((row) => !row.some((id) => slow.has(id)));
  const missing = new Set(rows.flat());
  const chosen: (readonly string[])[] = [];
  const gainOf = (row: readonly string[]) => row.filter((id) => missing.has(id)).length;
  while (missing.size > 0) {
    const best = rows.reduce((one, other) => (gainOf(other) > gainOf(one) ? other : one));
    for (const id of best) missing.delete(id);
    chosen.push(best);
  }
  return chosen;
}

/**
 * The proof of one composition from its verdicts. If it did not pass, searches for the variations that cause this until `until`,
 * in milliseconds of `performance.now()`.
 */
export async function createRowProof(
  variations: readonly string[],
  judged: readonly CheckOutcome[],
  until: number,
): Promise<RowProof> {
  const held = checksNotPassed(judged);
  if (held.length === 0) return { variations: [...variations], held, culprits: [] };
  const failed = new Set(held.map(({ check }) => check));
  const guilty = await minimalFailingSet(
    variations,
    async (groups) => {
      const outcomes = await judgeCompositions(groups);
      return groups.findIndex((group) =>
        checksNotPassed(outcomes.get(compositionId(group)) ?? []).some(({ check }) => failed.has(check)),
      );
    },
    until,
  );
  return { variations: [...variations], held, culprits: [...guilty] };
}

/** The number of compatible pairs, and of those in a composition that passed. */
export function createPairsProof(rows: readonly RowProof[]): PairsProof {
  const place = new Map(variationIds.map((id, at) => [id, at]));
  const pairs = compatiblePairs(variationIds.length, canCombine);
  const met = new Set(
    rows
      .filter(({ held }) => held.length === 0)
      .flatMap(({ variations }) => {
        const row = variations.map((id) => place.get(id) ?? -1);
        return row.flatMap((one) => row.map((other) => `${one} ${other}`));
      }),
  );
  return {
    all: pairs.length,
    passed: pairs.filter(([one, other]) => met.has(`${one} ${other}`)).length,
    rows: [...rows],
  };
}

/** The id of a composition: its variation ids, joined by `+`. */
export function compositionId(variations: readonly string[]): string {
  return variations.join('+');
}

async function judgeCompositions(groups: readonly (readonly string[])[]): Promise<Map<string, CheckOutcome[]>> {
  const found = new Map<string, CheckOutcome[]>();
  const jobs = groups.map((group) => ({
    kind: 'composition' as const,
    id: compositionId(group),
    checks: checksOfProfile('full'),
  }));
  await runInWorkers(jobs, (outcome) => {
    if ('judged' in outcome) found.set(outcome.name.id, outcome.judged);
  });
  return found;
}
