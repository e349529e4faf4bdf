import { allVariations } from '../../reference/variations/all.ts';
import { checksOfProfile } from '../../specs/selection.ts';
import { minimalFailingSet } from './blame-rules.ts';
import { areCompatible } from './compatibility.ts';
import type { CheckOutcome } from './judge-server.ts';
import { compatiblePairs, pairCover } from './pair-cover.ts';
import { unpassedChecks } from './proof-result.ts';
import type { PairsProof, RowProof } from './schema.ts';
import { runInWorkers } from './worker-pool.ts';

const SEED = 1;
/** More at once would be slower than two servers, and would delay each other beyond what any of them does. */
const MAX_ROW_LENGTH = 33;
const variationIds = allVariations.map(({ id }) => id);

function canCombine(one: number, other: number): boolean {
  const [first, second] = [allVariations[one], allVariations[other]];
  return first !== undefined && second !== undefined && areCompatible(first, second);
}

/**
 * Compositions, each a list of variations by id, in which every pair that can stand together is met at least once. Those that take
 * longest come first.
 */
export function pairRows(): readonly (readonly string[])[] {
  const rows = pairCover(variationIds.length, canCombine, { seed: SEED, longest: MAX_ROW_LENGTH });
  const slowOnes = (row: readonly number[]) => row.filter((at) => allVariations[at]?.isSlow).length;
  const slowFirst = rows.toSorted((one, other) => slowOnes(other) - slowOnes(one));
  return slowFirst.map((row) => row.map((at) => variationIds[at] ?? ''));
}

/**
 * What the verdicts on one composition show; where it was not passed, by whose doing, as far as that is found until `until`, on the
 * clock of `performance.now()` in milliseconds.
 */
export async function createRowProof(
  variations: readonly string[],
  judged: readonly CheckOutcome[],
  until: number,
): Promise<RowProof> {
  const held = unpassedChecks(judged);
  if (held.length === 0) return { variations: [...variations], held, culprits: [] };
  const failed = new Set(held.map(({ check }) => check));
  const guilty = await minimalFailingSet(
    variations,
    async (groups) => {
      const outcomes = await judgeCompositions(groups);
      return groups.findIndex((group) =>
        unpassedChecks(outcomes.get(compositionId(group)) ?? []).some(({ check }) => failed.has(check)),
      );
    },
    until,
  );
  return { variations: [...variations], held, culprits: [...guilty] };
}

/** The pairs that were met in a composition which was passed. */
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

/** The name of a composition, as another thread is told it. */
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
