import { allVariations } from '../../reference/variations/all.ts';
import { checksOfProfile } from '../../specs/selection.ts';
import { compatible } from './compatible.ts';
import { heldUp } from './conclude.ts';
import { compatiblePairs, coveringRows } from './covering.ts';
import { culprits } from './culprits.ts';
import type { Judged } from './judge-server.ts';
import type { PairsProof, RowProof } from './schema.ts';
import { judgeAll } from './spread.ts';

const SEED = 1;
/** More at once would be slower than two servers, and would delay each other beyond what any of them does. */
const LONGEST_ROW = 33;
const ids = allVariations.map(({ id }) => id);

function standTogether(one: number, other: number): boolean {
  const [first, second] = [allVariations[one], allVariations[other]];
  return first !== undefined && second !== undefined && compatible(first, second);
}

/**
 * Compositions, each a list of variations by id, in which every pair that can stand together is met at least once. Those that take
 * longest come first.
 */
export function pairRows(): readonly (readonly string[])[] {
  const rows = coveringRows(ids.length, standTogether, { seed: SEED, longest: LONGEST_ROW });
  const slowOnes = (row: readonly number[]) => row.filter((at) => allVariations[at]?.isSlow).length;
  const slowFirst = rows.toSorted((one, other) => slowOnes(other) - slowOnes(one));
  return slowFirst.map((row) => row.map((at) => ids[at] ?? ''));
}

/**
 * What the verdicts on one composition show; where it was not passed, by whose doing, as far as that is found until `until`, on the
 * clock of `performance.now()` in milliseconds.
 */
export async function rowProved(
  variations: readonly string[],
  judged: readonly Judged[],
  until: number,
): Promise<RowProof> {
  const held = heldUp(judged);
  if (held.length === 0) return { variations: [...variations], held, culprits: [] };
  const failed = new Set(held.map(({ check }) => check));
  const guilty = await culprits(
    variations,
    async (groups) => {
      const outcomes = await judgedTogether(groups);
      return groups.findIndex((group) =>
        heldUp(outcomes.get(composed(group)) ?? []).some(({ check }) => failed.has(check)),
      );
    },
    until,
  );
  return { variations: [...variations], held, culprits: [...guilty] };
}

/** The pairs that were met in a composition which was passed. */
export function pairsProved(rows: readonly RowProof[]): PairsProof {
  const place = new Map(ids.map((id, at) => [id, at]));
  const pairs = compatiblePairs(ids.length, standTogether);
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
export function composed(variations: readonly string[]): string {
  return variations.join('+');
}

async function judgedTogether(groups: readonly (readonly string[])[]): Promise<Map<string, Judged[]>> {
  const found = new Map<string, Judged[]>();
  const jobs = groups.map((group) => ({
    kind: 'composition' as const,
    id: composed(group),
    checks: checksOfProfile('full'),
  }));
  await judgeAll(jobs, (outcome) => {
    if ('judged' in outcome) found.set(outcome.name.id, outcome.judged);
  });
  return found;
}
