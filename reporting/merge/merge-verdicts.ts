import { type Precondition, preconditionsOf } from '../../specs/catalogue/preconditions.ts';
import type { CheckRecord } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { type CheckVerdict, isRed } from '../../specs/verdicts.ts';

/** Verdicts of an exchange rule that several shards judged: any breach counts, then any judgement. */
const RULE_ORDER: readonly CheckVerdict[] = ['fail', 'error', 'warn', 'pass', 'blocked', 'not-applicable'];

/** The results of all shards as one run would have recorded them. */
export function mergeResults(results: readonly CheckRecord[]): CheckRecord[] {
  const merged = new Map<string, CheckRecord>();
  const byShard = new Map<string, number>();
  for (const result of results) {
    byShard.set(result.id, (byShard.get(result.id) ?? 0) + 1);
    const other = merged.get(result.id);
    const isWorse = !other || RULE_ORDER.indexOf(result.verdict) < RULE_ORDER.indexOf(other.verdict);
    if (isWorse) merged.set(result.id, result);
  }
  const isRule = (id: string) => (byShard.get(id) ?? 0) > 1;
  blockByPreconditions(merged, isRule);
  return [...merged.values()];
}

/** A check may depend on a check of another shard. Each round may block checks that others depend on. */
function blockByPreconditions(merged: Map<string, CheckRecord>, isRule: (id: string) => boolean): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [id, result] of merged) {
      if (!isRed(result) || isRule(id)) continue;
      const cause = brokenPrecondition(id as CheckId, result, merged, isRule);
      if (cause === null) continue;
      merged.set(id, blockedResult(result, cause));
      isChanged = true;
    }
  }
}

interface BrokenPrecondition {
  readonly owner: string;
  readonly reason: string;
}

function brokenPrecondition(
  id: CheckId,
  { reason }: CheckRecord,
  merged: ReadonlyMap<string, CheckRecord>,
  isRule: (id: string) => boolean,
): BrokenPrecondition | null {
  const applies = ({ owner, where }: Precondition) => !isRule(owner) && (where === undefined || reason.includes(where));
  for (const { owner, because } of preconditionsOf(id).filter(applies)) {
    const judged = merged.get(owner);
    if (judged === undefined) continue;
    if (isRed(judged)) return { owner, reason: `${owner} failed: ${because}` };
    const deeper = judged.verdict === 'blocked' ? merged.get(judged.blockedBy ?? '') : undefined;
    if (deeper && isRed(deeper))
      return {
        owner: deeper.id,
        reason: `this check depends on ${owner}, which is blocked because ${deeper.id} failed`,
      };
  }
  return null;
}

function blockedResult(result: CheckRecord, { owner, reason }: BrokenPrecondition): CheckRecord {
  return { ...result, verdict: 'blocked', reason, expected: '', actual: '', blockedBy: owner, expectation: null };
}
